/**
 * Who receives under a UMA address: a customer of the platform itself, or somebody in the network.
 * Source: wire contract 5.10; D-251.
 */
import { Effect } from "effect"
import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { Currencies } from "../../foundation/money/Currencies.ts"
import { isUmaAddress, umaAddressParts } from "../../model/customer/UmaAddress.ts"
import type { Platform } from "../../model/platform/Platform.ts"
import { limitsOf } from "../../model/quote/QuoteTermRules.ts"
import type { ReceiverLookup } from "../../model/receiver/FoundReceiver.ts"
import { type UmaAnswer, UmaNetwork } from "../../ports/UmaNetwork.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store } from "../../store/Store.ts"

/** More than there are currencies. */
const accountsMax = 100

/** The accounts of a customer that can take money, one for each currency: a wallet only where there is no other. */
export const readReceivingAccounts = Effect.fnUntraced(function* (customerId: string) {
  const store = yield* Store
  const { data } = yield* store.list(
    "InternalAccount",
    { customerId: { eq: customerId }, status: { eq: "ACTIVE" } },
    { limit: accountsMax, order: "asc" },
  )
  const isWallet = ({ data: { type } }: Stored<"InternalAccount">) => Number(type === "EMBEDDED_WALLET")
  const own = data.toSorted((a, b) => isWallet(a) - isWallet(b))
  return Currencies.keys.flatMap((code) => own.find((account) => account.data.currency === code) ?? [])
})

/** The customer of the platform that has the address. */
export const findCustomerByUmaAddress = Effect.fnUntraced(function* (address: string) {
  const store = yield* Store
  const { data } = yield* store.list(
    "Customer",
    { umaAddress: { eq: address }, isDeleted: { eq: false } },
    { limit: 1, order: "desc" },
  )
  return data[0]
})

export const umaAddressNotFound: Refusal = notFound("UMA address", "UMA_NOT_FOUND")

export const invalidUmaAddress = (field: string): Refusal => ({
  code: "INVALID_UMA_ADDRESS",
  message: `${field}: must be a UMA address such as $name@example.com`,
  details: { errors: [{ field, message: "must be a UMA address such as $name@example.com" }] },
})

const answered = (answer: UmaAnswer): ReceiverLookup => {
  switch (answer._tag) {
    case "Found":
      return { _tag: "Found", accounts: [], ...answer.receiver }
    case "NotFound":
      return { _tag: "Refused", refusal: umaAddressNotFound }
    case "Trouble":
      return { _tag: "Refused", refusal: { code: answer.code, message: answer.message } }
  }
}

/** Looks for who receives. `field`: what named the address. */
export const findReceiver = Effect.fnUntraced(function* (
  platform: Platform,
  address: string,
  sender: string | undefined,
  field: string,
) {
  const refused = (refusal: Refusal): ReceiverLookup => ({ _tag: "Refused", refusal })
  if (!isUmaAddress(address)) return refused(invalidUmaAddress(field))
  const customer = yield* findCustomerByUmaAddress(address)
  if (customer !== undefined) {
    const accounts = yield* readReceivingAccounts(customer.id)
    const found: ReceiverLookup = {
      _tag: "Found",
      accounts,
      currencies: accounts.map(({ data: { currency: code } }) => ({ code, ...limitsOf(platform, code) })),
      requiredPayerData: [],
      information: {},
    }
    return found
  }
  if (umaAddressParts(address).domain === platform.umaDomain.toLowerCase()) return refused(umaAddressNotFound)
  const network = yield* UmaNetwork
  return answered(yield* network.find(address, sender))
})
