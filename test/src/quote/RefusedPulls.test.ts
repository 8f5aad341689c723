/** Quotes whose pull the rail refuses: why the payment failed, with nothing moved. Source: wire contract 8.3; D-127, D-480. */
import { Rails } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { at, between, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

it.each([
  ["INSUFFICIENT_FUNDS", "QUOTE_EXECUTION_FAILED"],
  ["ACCOUNT_INVALID", "QUOTE_EXECUTION_FAILED"],
  ["BANK_REJECTED", "QUOTE_EXECUTION_FAILED"],
  ["COMPLIANCE_REJECTED", "COMPLIANCE_REJECTED"],
])("a pull that is refused as %s fails the payment as %s, and moves nothing", async (reason, failure) => {
  await using pay = await quoteHarness()
  const quote = await pay.quote({
    source: { sourceType: "ACCOUNT", accountId: await pay.external("USD") },
    destination: { destinationType: "ACCOUNT", accountId: await pay.accountId("EUR") },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 10_000,
  })
  expect(quote.status).toBe(201)
  const faults = await pay.send("PUT", "/sandbox/faults", { body: { rail: { kind: "REJECT", reason } } })
  expect(faults.status).toBe(200)
  expect((await pay.execute(String(at(quote, "id")))).status).toBe(200)
  await pay.settle()
  expect(await pay.transaction(quote)).toMatchObject({ body: { status: "FAILED", failureReason: failure } })
  expect(await pay.balances("EUR")).toEqual([0, 0])
  await pay.checkBooks()
})

it("a pull that the rail may have is asked about, although its account has become inactive", async () => {
  const asked: Array<string> = []
  const answering = (name: string, outcome: { readonly _tag: "Done" } | { readonly _tag: "Unknown"; cause: string }) =>
    Effect.sync(() => {
      asked.push(name)
      return outcome
    })
  const ports = Layer.effect(
    Rails,
    Effect.map(Rails, (rails) => ({
      ...rails,
      pull: () => answering("pull", { _tag: "Unknown", cause: "lost" }),
      inquire: () => answering("inquire", { _tag: "Done" }),
    })),
  ).pipe(Layer.provide(Sandbox.layer))
  await using pay = await quoteHarness({ ports: Layer.merge(Sandbox.layer, ports) })
  const from = await pay.external("USD")
  const quote = await pay.quote(between(from, await pay.accountId("EUR"), 10_000))
  await pay.execute(String(at(quote, "id")))
  await pay.settle()
  expect(asked).toEqual(["pull"])
  await pay.send("POST", `/sandbox/external-accounts/${from}/status`, { body: { status: "INACTIVE" } })
  await pay.clock.advance("1 hour")
  expect(await pay.transaction(quote)).toMatchObject({ body: { status: "COMPLETED" } })
  expect(asked).toEqual(["pull", "inquire"])
  await pay.checkBooks()
})

const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" }

it("the account of the platform is not the payer's own where a customer is named", async () => {
  const purposes: Array<object> = []
  const ports = Layer.effect(
    Rails,
    Effect.map(Rails, (rails) => ({
      ...rails,
      inspectPull: (...[account, amount, purpose]: Parameters<typeof rails.inspectPull>) => {
        purposes.push(purpose)
        return rails.inspectPull(account, amount, purpose)
      },
    })),
  ).pipe(Layer.provide(Sandbox.layer))
  await using pay = await quoteHarness({ ports: Layer.merge(Sandbox.layer, ports) })
  const accountInfo = {
    accountType: "USD_ACCOUNT",
    accountNumber: "12345000",
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace", address },
  }
  const body = { currency: "USD", ownershipType: "FIRST_PARTY", accountInfo }
  const own = String(at(await pay.send("POST", "/platform/external-accounts", { body }), "id"))
  for (const [accountId, customerId] of [
    [own, undefined],
    [own, pay.customerId],
    [await pay.external("USD"), pay.customerId],
  ])
    await pay.quote({
      ...between("", await pay.accountId("EUR"), 10_000),
      source: { sourceType: "ACCOUNT", accountId, customerId },
    })
  expect(purposes).toMatchObject([{ isPayersAccount: true }, { isPayersAccount: false }, { isPayersAccount: true }])
})
