/**
 * Platforms that two processes set up at the same time, and currencies that come back.
 * Source: wire contract 5.8 and 5.12.
 */
import { Customers, Platforms } from "@countersign/core"
import { Store } from "@countersign/core/store"
import { Context, Effect, Layer, Redacted } from "effect"
import { expect, it } from "vitest"
import { clientClaim } from "../../../packages/core/src/store/Claims.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"

/** The first look-up of a client id finds nothing, as that of a process that starts before another one has created the platform. */
const blindOnce = (clientId: string) => {
  let looks = 0
  return Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* Store
      const resolve: (typeof store)["resolve"] = (claim) =>
        claim.key === clientClaim(clientId).key && looks++ === 1 ? Effect.undefined : store.resolve(claim)
      return Context.make(Store, Store.of({ ...store, resolve }))
    }),
  )
}

const setUp = (pay: Harness, secret: string) =>
  pay.run(
    Platforms.use((platforms) =>
      platforms.setUp({
        clientId: "second",
        clientSecret: Redacted.make(secret),
        name: "Second",
        currencies: ["USD"],
      }),
    ),
  )

const statusOf = async (pay: Harness, secret: string) => {
  const headers = { authorization: `Basic ${btoa(`second:${secret}`)}` }
  return (await pay.send("GET", "/config", { as: "nobody", headers })).status
}

it("a process that creates a platform after another one renews its secret", async () => {
  await using pay = await harness({ around: blindOnce("second") })
  const first = await setUp(pay, "the secret of the first process")
  expect(await setUp(pay, "the secret of the second process")).toBe(first)
  expect(await statusOf(pay, "the secret of the second process")).toBe(200)
  expect(await statusOf(pay, "the secret of the first process")).toBe(401)
})

it("a currency that comes back opens no second account, however many accounts customers have", async () => {
  await using pay = await harness()
  const { supportedCurrencies } = (await pay.send("GET", "/config")).body as {
    readonly supportedCurrencies: ReadonlyArray<{ readonly currencyCode: string }>
  }
  const accounts = async () => at(await pay.send("GET", "/platform/internal-accounts?limit=100"), "data")
  const before = await accounts()
  const change = async (currencies: typeof supportedCurrencies) => {
    expect((await pay.send("PATCH", "/config", { body: { supportedCurrencies: currencies } })).status).toBe(200)
  }
  await change(supportedCurrencies.filter(({ currencyCode }) => currencyCode === "USD"))
  await pay.clock.advance("1 second")
  for (let count = 0; count < 100; count++) {
    await pay.run(
      Customers.use((customers) => customers.create({ customerType: "INDIVIDUAL", fullName: "Ada Lovelace" })),
    )
  }
  await change(supportedCurrencies)
  expect(await accounts()).toEqual(before)
})
