/** The suite of exchange rates: the sandbox passes it, and rates with any one fault do not. Source: D-444, D-529. */
import { ExchangeRates, type OfferedRate } from "@countersign/core/ports"
import { SandboxRates } from "@countersign/core/sandbox"
import { exchangeRatesConformance } from "@countersign/test/conformance"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { exchangeRatesChecks } from "../../../packages/test/src/conformance/exchangeRatesChecks.ts"
import { failedChecks } from "./FailedChecks.ts"

const currencies = ["EUR", "USD", "JPY"] as const
exchangeRatesConformance("sandbox", SandboxRates.layer, { currencies })

const pair = "a rate is that of the asked pair: two positive integers, and a fee that is not negative"
const back = "no way there and back earns money"
const third = "no way over a third currency earns money"
const noFee = ({ fee: _, ...rate }: OfferedRate): OfferedRate => rate
const isPair = ({ from, to }: OfferedRate, a: string, b: string) => from === a && to === b
let asked = 0

/** Each fault, the check that notices it, and what it makes of a rate. */
const faults: ReadonlyArray<readonly [string, string, (rate: OfferedRate) => OfferedRate | undefined]> = [
  ["answers for the opposite pair", pair, ({ from, to, ...rate }) => ({ ...rate, from: to, to: from })],
  ["has the rate zero", pair, (rate) => ({ ...rate, numerator: 0n })],
  ["has a negative rate", pair, (rate) => ({ ...rate, numerator: -rate.numerator, denominator: -rate.denominator })],
  ["has a negative fee", pair, (rate) => ({ ...rate, fee: { fixed: 0, variableBps: -1 } })],
  ["has half a unit of fee", pair, (rate) => ({ ...rate, fee: { fixed: 0.5, variableBps: 0 } })],
  ["takes all as a fee", pair, (rate) => ({ ...rate, fee: { fixed: 0, variableBps: 10_000 } })],
  ["is of the future", pair, (rate) => ({ ...rate, updatedAt: Date.now() + 365 * 86_400_000 })],
  ["lacks a pair", pair, (rate) => (isPair(rate, "USD", "JPY") ? undefined : rate)],
  [
    "favours the customer in both directions",
    back,
    (rate) => ({ ...noFee(rate), numerator: rate.numerator * 9999n, denominator: rate.denominator * 10_000n }),
  ],
  [
    "has one stale pair",
    third,
    (rate) => (isPair(rate, "USD", "JPY") || isPair(rate, "JPY", "USD") ? stale(noFee(rate)) : noFee(rate)),
  ],
  [
    "has a rate from a currency to itself",
    "the rate of a currency to itself is one, or there is no such rate",
    (rate) => (rate.from === rate.to ? { ...rate, numerator: 2n } : rate),
  ],
  [
    "changes at each question",
    "a repeated question at the same moment has the same answer",
    (rate) => ({
      ...rate,
      numerator: rate.numerator * 1_000_000n + BigInt(++asked),
      denominator: rate.denominator * 1_000_000n,
    }),
  ],
]

/** A tenth more for dollars in yen, and the inverse of it back. */
const stale = (rate: OfferedRate): OfferedRate =>
  rate.from === "USD"
    ? { ...rate, numerator: rate.numerator * 10n, denominator: rate.denominator * 11n }
    : { ...rate, numerator: rate.numerator * 11n, denominator: rate.denominator * 10n }

describe("a provider of rates that", () => {
  it.each(faults)("%s does not pass", async (_, noticedBy, change) => {
    const layer = Layer.effect(
      ExchangeRates,
      Effect.map(ExchangeRates, ({ rate }) => ({
        rate: (from: OfferedRate["from"], to: OfferedRate["to"]) =>
          Effect.map(rate(from, to), (found) => found && change(found)),
      })),
    ).pipe(Layer.provide(SandboxRates.layer))
    expect(await failedChecks(exchangeRatesChecks(layer, { currencies }))).toContain(noticedBy)
  })

  it("knows a currency that it should not know does not pass", async () => {
    const failed = await failedChecks(exchangeRatesChecks(SandboxRates.layer, { currencies, unknown: ["KES"] }))
    expect(failed).toEqual(["a currency without a rate has none, to and from each other one"])
  })
})
