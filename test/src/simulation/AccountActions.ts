/** Actions on external accounts: adding them, which includes a bank's check, and removing them. */
import type { Body } from "./Answers.ts"
import { anyOf, bodyOf, type ClientActions, isDone } from "./ClientRequests.ts"

const suffixes = ["000", "000", "000", "102", "103", "104", "105"] as const

export const accountActions: ClientActions = {
  "account outside": {
    weight: 4,
    run: async ({ answers, insist, random, name, pay }) => {
      const suffix = random.pick(suffixes)
      const platformAccountId = `${name()}-${suffix}`
      const number = `${10_000 + answers.outside.size}${suffix}`
      answers.outside.set(platformAccountId, null)
      const beneficiary = {
        beneficiaryType: "INDIVIDUAL",
        fullName: "Ada Lovelace",
        address: { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" },
      }
      const accountInfo = { accountType: "USD_ACCOUNT", accountNumber: number, routingNumber: "021000021", beneficiary }
      const body = { customerId: pay.customerId, currency: "USD", platformAccountId, accountInfo }
      const reply = await insist("POST", "/customers/external-accounts", { body })
      if (isDone(reply)) {
        answers.outside.set(platformAccountId, String(bodyOf(reply)["id"]))
        return true
      }
      // After a lost response, the repetition reports an existing account, or the bank's present verdict.
      const path = `/customers/external-accounts?customerId=${pay.customerId}&limit=100`
      const known = bodyOf(await insist("GET", path))["data"] as ReadonlyArray<Body>
      const found = known.find((one) => one["platformAccountId"] === platformAccountId)
      if (found !== undefined) answers.outside.set(platformAccountId, String(found["id"]))
      return found !== undefined
    },
  },
  "account outside removed": {
    weight: 1,
    run: async ({ answers, insist, random }) => {
      const id = anyOf(
        random,
        [...answers.outside.values()].filter((each) => each !== null),
      )
      if (id === undefined) return undefined
      answers.removed.add(id)
      await insist("DELETE", `/customers/external-accounts/${id}`)
      return true
    },
  },
}
