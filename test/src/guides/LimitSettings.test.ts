/** The limits that the guide for operators sets. Source: docs/guides/operations.md. */
import { codePricesDefault, DailyVolume, UseLimitSettings } from "@countersign/core/ports"
import { Layer } from "effect"
import { expect, it } from "vitest"
import { quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

const settings = Layer.merge(
  Layer.succeed(UseLimitSettings, {
    counts: { READS: 6000, WRITES: 1200, CODE_PRICE_OF_PLATFORM: 50_000 },
    prices: { ...codePricesDefault, "+44": 4 },
    processes: 3,
  }),
  Layer.succeed(DailyVolume, { perCustomer: { USD: 1_000_000 }, perPlatform: { USD: 50_000_000 } }),
)

it("sets limits on reads and on the volume of a day", async () => {
  await using pay = await quoteHarness({ ports: settings })
  await pay.fund("USD", 2_000_000)
  expect((await pay.send("GET", "/config")).headers.get("ratelimit-limit")).toBe("2000")
  const source = { accountId: await pay.accountId("USD") }
  const destination = { accountId: await pay.external("USD") }
  const transfer = (amount: number) => pay.send("POST", "/transfer-out", { body: { source, destination, amount } })
  expect((await transfer(1_000_001)).body).toMatchObject({ code: "DAILY_VOLUME_LIMIT_EXCEEDED" })
  expect((await transfer(1_000_000)).status).toBe(201)
})
