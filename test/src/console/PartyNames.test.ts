/** Who and what the ids of a waiting action stand for. Source: D-453. */
import { describe, expect, it } from "vitest"
import type { Api } from "../../../packages/console/page/Api.ts"
import { externalParty, makeNames } from "../../../packages/console/page/Names.ts"

type External = Parameters<typeof externalParty>[0]
type Action = Parameters<ReturnType<typeof makeNames>>[0]

const external = (accountInfo: object, currency = "USD"): External => ({ accountInfo, currency }) as External

describe("an external account", () => {
  it.each<readonly [object, string, string]>([
    [
      { beneficiary: { fullName: "Ada" }, accountNumber: "000123456789", bankName: "Chase" },
      "Ada",
      "USD · Chase ••6789",
    ],
    [{ beneficiary: { businessInfo: { legalName: "Acme" } }, iban: "GB00" }, "Acme", "USD · GB00"],
    [{ beneficiary: { fullName: "", businessInfo: { legalName: "Acme" } } }, "Acme", "USD account"],
    [{ pixKey: "12345" }, "USD account", "USD · ••2345"],
    [{ bankName: "Chase" }, "USD account", "USD · Chase"],
    [{ accountNumber: "", vpa: "ada@bank" }, "USD account", "USD · ••bank"],
    [{ beneficiary: null, accountNumber: 7 }, "USD account", "USD account"],
  ])("with %j is %s, %s", (accountInfo, name, detail) => {
    expect(externalParty(external(accountInfo))).toEqual({ name, detail })
  })

  it.each(["accountNumber", "iban", "clabeNumber", "pixKey", "vpa", "phoneNumber", "address", "invoice"])(
    "is known by its %s",
    (field) => expect(externalParty(external({ [field]: "0123456789" })).detail).toBe("USD · ••6789"),
  )
})

const balance = (amount: number, currency = { code: "USD", decimals: 2 }) => ({ balance: { amount, currency } })

const refuses = () => Promise.reject(new Error("names are read alone"))
const none = { post: refuses, put: refuses, patch: refuses, remove: refuses }

/** A service that has these records by path, and what it was asked. */
const serviceOf = (records: Readonly<Record<string, object>>) => {
  const asked: Array<string> = []
  const get = async (path: string) => {
    asked.push(path)
    const found = records[path]
    if (found === undefined) throw new Error("not found")
    return found
  }
  return { asked, namesOf: makeNames({ ...none, get: get as Api["get"] }) }
}

const transfer = {
  agentId: "Agent:000001",
  customerId: "Customer:000002",
  platformCustomerId: "customer-2",
  transferDetails: { sourceAccountId: "InternalAccount:000003", destinationAccountId: "ExternalAccount:000004" },
} as Action
const known = {
  "/agents/Agent:000001": { name: "Billing" },
  "/customers/Customer:000002": { fullName: "Ada Example", platformCustomerId: "customer-2" },
  "/internal-accounts/InternalAccount:000003": balance(12_345),
  "/customers/external-accounts/ExternalAccount:000004": external({ bankName: "Chase" }, "EUR"),
}

describe("an action", () => {
  it("has the names of its agent, its customer and both accounts", async () => {
    expect(await serviceOf(known).namesOf(transfer)).toEqual({
      agent: "Billing",
      customer: { name: "Ada Example", detail: "customer-2" },
      from: { name: "USD account", detail: "$123.45 available" },
      to: { name: "EUR account", detail: "EUR · Chase" },
      decimals: 2,
    })
  })

  it("shows ids where the records are gone", async () => {
    expect(await serviceOf({}).namesOf(transfer)).toEqual({
      agent: "Deleted agent …000001",
      customer: { name: "customer-2", detail: "customer-2" },
      from: { name: "Account", detail: "…000003" },
      to: { name: "Deleted account", detail: "…000004" },
      decimals: 2,
    })
  })

  it.each([
    [{ businessInfo: { legalName: "Acme" } }, "Acme"],
    [{}, "customer-2"],
  ])("of a customer with %j is of %s", async (customer, name) => {
    const { namesOf } = serviceOf({
      ...known,
      "/customers/Customer:000002": { ...customer, platformCustomerId: "customer-2" },
    })
    expect((await namesOf(transfer)).customer).toEqual({ name, detail: "customer-2" })
  })

  it("asks for a balance each time, and for a name once", async () => {
    const { asked, namesOf } = serviceOf(known)
    await namesOf(transfer)
    await namesOf(transfer)
    const times = Object.keys(known).map((path) => asked.filter((each) => each === path).length)
    expect(times).toEqual([1, 1, 2, 1])
  })

  it("of a quote has its source, its destination and the decimals of its sending currency", async () => {
    const quoteOf = (destination: object, source: object) =>
      ({ ...transfer, quote: { source, destination, sendingCurrency: { decimals: 8 } } }) as Action
    const { namesOf } = serviceOf(known)
    const toAccount = { destinationType: "ACCOUNT", accountId: "ExternalAccount:000004" }
    expect(
      await namesOf(quoteOf(toAccount, { sourceType: "ACCOUNT", accountId: "InternalAccount:000003" })),
    ).toMatchObject({ from: { name: "USD account" }, to: { name: "EUR account" }, decimals: 8 })
    const toAddress = { destinationType: "UMA_ADDRESS", umaAddress: "$ada@x.example" }
    expect(await namesOf(quoteOf(toAddress, { sourceType: "REALTIME_FUNDING", currency: "USD" }))).toMatchObject({
      from: { name: "USD", detail: "" },
      to: { name: "$ada@x.example", detail: "" },
      decimals: 8,
    })
  })

  it("has the decimals of the account that pays, or of the one that is paid", async () => {
    const yen = balance(5, { code: "JPY", decimals: 0 })
    const paid = {
      ...transfer,
      transferDetails: { sourceAccountId: "ExternalAccount:000004", destinationAccountId: "InternalAccount:000003" },
    } as Action
    const { namesOf } = serviceOf({ ...known, "/internal-accounts/InternalAccount:000003": yen })
    expect([(await namesOf(transfer)).decimals, (await namesOf(paid)).decimals]).toEqual([0, 0])
  })
})
