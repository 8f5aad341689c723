/** Bodies of requests that several steps send, and the ids in answers. */
import type { Reply } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"

/** The text at a path of an answer. */
export const idAt = (reply: Pick<Reply, "body">, ...path: ReadonlyArray<string | number>): string => {
  const found = at(reply, ...path)
  if (typeof found !== "string") throw new Error(`no ${path.join(".")} in ${JSON.stringify(reply.body)}`)
  return found
}

/** The ids of the entries of a list. */
export const ids = (body: unknown): ReadonlyArray<string> => {
  const { data }: { readonly data?: ReadonlyArray<{ readonly id: string }> } = Object(body)
  return data?.map(({ id }) => id) ?? []
}

/** An external account in dollars of a customer, whose number ends in a suffix. */
export const externalAccountBody = (
  { customerId }: { readonly customerId: string },
  suffix: string,
  number = "7654321",
) => ({
  customerId,
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber: `${number}${suffix}`,
    routingNumber: "021000021",
    beneficiary: {
      beneficiaryType: "INDIVIDUAL",
      fullName: "Ada Lovelace",
      address: { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" },
    },
  },
})

/** A quote from one account to another, with the sending amount locked. */
export const quoteBetween = (source: string, destination: string, amount: number) => ({
  source: { sourceType: "ACCOUNT", accountId: source },
  destination: { destinationType: "ACCOUNT", accountId: destination },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: amount,
})
