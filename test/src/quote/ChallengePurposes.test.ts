/** What the provider is asked about a payment whose challenges it decides: at a creation that executes, and at an execution. D-129. */
import { ScaProvider } from "@countersign/core/ports"
import { SandboxSca } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { at, between, type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

/** The sandbox's provider, which records the payments that it is asked about. */
const recordingPayments = (payments: Array<object>) =>
  Layer.effect(
    ScaProvider,
    Effect.map(ScaProvider, (provider) => ({
      ...provider,
      purposes: (payment: object) =>
        Effect.sync((): readonly [string] => {
          payments.push(payment)
          return ["PAYMENT"]
        }),
    })),
  ).pipe(Layer.provide(SandboxSca.layer))

it.each<readonly [string, (pay: QuoteHarness) => Promise<string>, object]>([
  ["a payout in another currency", (pay) => pay.external("MXN"), { isExchange: true, isPayout: true }],
  ["a payout in its currency", (pay) => pay.external("USD"), { isExchange: false, isPayout: true }],
  [
    "a payout to an address of another service",
    () => Promise.resolve("$success.usd@uma.sandbox.example"),
    { isExchange: false, isPayout: true },
  ],
  ["an exchange between own accounts", (pay) => pay.accountId("EUR"), { isExchange: true, isPayout: false }],
])("names %s as what it is", async (_, destinationOf, facts) => {
  const payments: Array<object> = []
  const person = { region: "EU", phoneNumber: "+14155550123" }
  await using pay = await quoteHarness({ scaRegions: ["EU"], ports: recordingPayments(payments) }, person)
  await pay.fund("USD", 100_000)
  const destination = await destinationOf(pay)
  const lookup = await pay.send("GET", `/receiver/uma/${encodeURIComponent(destination)}`)
  const request = {
    ...between(await pay.accountId("USD"), destination, 10_000),
    ...(destination.startsWith("$")
      ? {
          lookupId: at(lookup, "lookupId"),
          destination: { destinationType: "UMA_ADDRESS", umaAddress: destination },
        }
      : {}),
  }
  const asked = { customerId: pay.customerId, ...facts }
  const quote = await pay.quote({ ...request, immediatelyExecute: true })
  expect(quote).toMatchObject({ body: { status: "PENDING_AUTHORIZATION" } })
  expect(payments.splice(0)).toEqual([asked])
  const later = await pay.quote(request)
  payments.splice(0)
  await pay.execute(String(at(later, "id")))
  expect(payments).toEqual([asked])
})
