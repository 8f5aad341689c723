/**
 * Network fees of the sandbox in US cents, converted to the asset by the sandbox's prices. Plausible, not current.
 * Source: wire contract 5.10; D-254.
 */
import { Effect, Layer } from "effect"
import * as Table from "../foundation/kit/Table.ts"
import type { CryptoNetwork } from "../foundation/money/CryptoNetwork.ts"
import { Currencies, type CurrencyCode } from "../foundation/money/Currencies.ts"
import { NetworkFees } from "../ports/NetworkFees.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { SandboxRateTable } from "./SandboxRateTable.ts"

/** The fee of a withdrawal in US cents, by network. */
export const SandboxNetworkCents = Table.make("SandboxNetworkCents", {
  BITCOIN: 150,
  ETHEREUM: 200,
  SOLANA: 1,
  BASE: 2,
  POLYGON: 2,
  TRON: 100,
  PLASMA: 1,
  SPARK: 0,
  LIGHTNING: 1,
} satisfies { readonly [Network in CryptoNetwork]: number })

/** Converts cents to the asset's smallest unit, rounded up. */
const inAsset = (cents: number, code: CurrencyCode): number => {
  const [numerator, denominator] = SandboxRateTable.get(code)
  const top = BigInt(cents) * numerator * 10n ** BigInt(Currencies.get(code).decimals)
  const bottom = 100n * denominator
  return Number((top + bottom - 1n) / bottom)
}

/** Provides `NetworkFees` that depend on the network and the asset, not on the amount. */
export const layer = Layer.succeed(NetworkFees, {
  estimate: ({ currency, network }) =>
    Effect.succeed({ network: inAsset(SandboxNetworkCents.get(network), currency), application: 0 }),
}).pipe(sandboxOnly("SandboxNetworkFees"))
