/**
 * Exchange rates of the sandbox, from a fixed table of dollar prices; cross rates are exact.
 * Source: wire contract 5.4 and 11 (41); wire contract areas 3.8.
 */
import { Effect, Layer } from "effect"
import { Currencies, type CurrencyCode } from "../foundation/money/Currencies.ts"
import type { ServiceFee } from "../foundation/money/Rate.ts"
import { identity, type Rate } from "../foundation/money/Rate.ts"
import { ExchangeRates } from "../ports/ExchangeRates.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { type Fraction, SandboxRateTable } from "./SandboxRateTable.ts"

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b))

/** One major unit of `to` is `1 / perDollar(to)` dollars, and each of these is `perDollar(from)` of `from`. */
const cross = (from: CurrencyCode, to: CurrencyCode, perDollar: (code: CurrencyCode) => Fraction): Rate => {
  if (from === to) return identity(from)
  const [fromTop, fromBottom] = perDollar(from)
  const [toTop, toBottom] = perDollar(to)
  const numerator = fromTop * toBottom
  const denominator = fromBottom * toTop
  const divisor = gcd(numerator, denominator)
  return { from, to, numerator: numerator / divisor, denominator: denominator / divisor }
}

/** Currencies of one value: the sandbox exchanges them without a fee, so that a walkthrough can spend all that it received. */
const pegged: ReadonlySet<CurrencyCode> = new Set(["USD", "USDB", "USDC", "USDT"])

/** The sandbox's fee for each other exchange. */
const sandboxFee: ServiceFee = { fixed: 0, variableBps: 50 }

/** Rates of the table; `prices` replaces those of some currencies: major units per US dollar. */
export const layerWith = (prices: { readonly [Code in CurrencyCode]?: Fraction }): Layer.Layer<ExchangeRates> =>
  Layer.sync(ExchangeRates, () => {
    const perDollar = (code: CurrencyCode): Fraction => prices[code] ?? SandboxRateTable.get(code)
    for (const code of Currencies.keys) {
      const [numerator, denominator] = perDollar(code)
      if (numerator <= 0n || denominator <= 0n) throw new Error(`The sandbox price of ${code} must be positive.`)
    }
    return {
      rate: (from, to) =>
        Effect.succeed({
          ...cross(from, to, perDollar),
          ...(from === to || (pegged.has(from) && pegged.has(to)) ? {} : { fee: sandboxFee }),
        }),
    }
  }).pipe(sandboxOnly("SandboxRates"))

/** Provides `ExchangeRates` from the table as it is; `layerWith` replaces some prices. */
export const layer: Layer.Layer<ExchangeRates> = layerWith({})
