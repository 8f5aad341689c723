/**
 * Finds the receiver behind a UMA address: a customer of the platform itself, or a receiver in the network.
 * Source: wire contract 5.10; D-251.
 */
import { Effect } from "effect"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { Currencies } from "../../foundation/money/Currencies.ts"
import { isUmaAddress, isUmaAddressUnder, umaAddressIs } from "../../model/customer/UmaAddress.ts"
import type { Platform } from "../../model/platform/Platform.ts"
import { limitsOf } from "../../model/quote/QuoteTermRules.ts"
import type { ReceiverLookup } from "../../model/receiver/FoundReceiver.ts"
import { invalidUmaAddress, umaAddressNotFound } from "../../model/receiver/UmaRefusals.ts"
import { type UmaAnswer, UmaNetwork } from "../../ports/UmaNetwork.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store } from "../../store/Store.ts"

/** Above the number of currencies. */
const accountsMax = 100

/** A customer's active accounts, one for each currency. A wallet is used only where no other account exists. */
export const readReceivingAccounts = Effect.fnUntraced(function* (customerId: string) {
  const store = yield* Store
  const { data } = yield* store.list(
    "InternalAccount",
    { customerId: { eq: customerId }, status: { eq: "ACTIVE" } },
    { limit: accountsMax, order: "asc" },
  )
  const isWallet = ({ data: { type } }: Stored<"InternalAccount">) => Number(type === "EMBEDDED_WALLET")
  const walletsLast = data.toSorted((a, b) => isWallet(a) - isWallet(b))
  return Currencies.keys.flatMap((code) => walletsLast.find((account) => account.data.currency === code) ?? [])
})

/** The platform's customer with this address. An address under an earlier domain of the platform is no longer the customer's. */
export const findCustomerByUmaAddress = Effect.fnUntraced(function* (platform: Platform, address: string) {
  if (!isUmaAddressUnder(address, platform.umaDomain)) return undefined
  const store = yield* Store
  const { data } = yield* store.list(
    "Customer",
    { umaAddress: umaAddressIs(address), isDeleted: { eq: false } },
    { limit: 1, order: "desc" },
  )
  return data[0]
})

const lookupOf = (answer: UmaAnswer): ReceiverLookup => {
  switch (answer._tag) {
    case "Found":
      return { _tag: "Found", accounts: [], ...answer.receiver }
    case "NotFound":
      return { _tag: "Refused", refusal: umaAddressNotFound }
    case "Trouble":
      return { _tag: "Refused", refusal: { code: answer.code, message: answer.message } }
  }
}

const refused = (refusal: Refusal): ReceiverLookup => ({ _tag: "Refused", refusal })

/** Looks among the platform's customers; `undefined` when the network must be asked. `field` names the address. */
export const loadReceiver = Effect.fnUntraced(function* (platform: Platform, address: string, field: string) {
  if (!isUmaAddress(address)) return refused(invalidUmaAddress(field))
  const customer = yield* findCustomerByUmaAddress(platform, address)
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
  return isUmaAddressUnder(address, platform.umaDomain) ? refused(umaAddressNotFound) : undefined
})

/** Asks the UMA network. */
export const askReceiver = Effect.fnUntraced(function* (address: string, sender: string | undefined) {
  const network = yield* UmaNetwork
  return lookupOf(yield* network.find(address, sender))
})

/** Loads the receiver, or asks the network for it. */
export const findReceiver = Effect.fnUntraced(function* (
  platform: Platform,
  address: string,
  sender: string | undefined,
  field: string,
) {
  return (yield* loadReceiver(platform, address, field)) ?? (yield* askReceiver(address, sender))
})
