/**
 * Injects faults into the ports of a simulated run: banks, issuers, verifiers, providers and rates that answer `Unknown` or late, and a vault
 * that fails.
 * Source: architecture, "Jobs, external calls and time".
 */
import { ExchangeRates, Issuer, Verifier } from "@countersign/core/ports"
import { SandboxIssuer, SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import type { OutsideMemory } from "./Outside.ts"
import { passkeyPort } from "./PasskeyPort.ts"
import { railFaults } from "./RailFaults.ts"
import { stablecoinFaults } from "./StablecoinFaults.ts"
import { type PortFaultSource, pause, uncertain } from "./UncertainCalls.ts"
import { vaultFaults } from "./VaultFaults.ts"
import { webhookPort } from "./WebhookPort.ts"

export const portFaults = (faults: PortFaultSource, outside: OutsideMemory): NonNullable<WorldOptions["ports"]> => {
  const { injects, random, rates } = faults

  const issuer = Layer.effect(
    Issuer,
    Effect.map(Issuer, (inner) => {
      const asked = uncertain(faults, "issuer")
      return Issuer.of({
        ...inner,
        // A card that a wallet funds pays through a delegated key.
        needsDelegatedKeys: true,
        provision: (request) => asked(inner.provision(request)),
        changeState: (notice) => asked(inner.changeState(notice)),
        collect: (request) => asked(inner.collect(request)),
        screen: (request) =>
          Effect.suspend(() =>
            Effect.andThen(
              pause(injects("issuerSlow", rates.issuerSlow) ? random.below(40) : 0),
              inner.screen(request),
            ),
          ),
      })
    }),
  ).pipe(Layer.provide(SandboxIssuer.layer))

  const verifier = Layer.effect(
    Verifier,
    Effect.map(Verifier, (inner) =>
      Verifier.of({
        ...inner,
        verifyBeneficiary: (check) => uncertain(faults, "verifier")(inner.verifyBeneficiary(check)),
      }),
    ),
  ).pipe(Layer.provide(SandboxVerifier.layer))

  const exchangeRates = Layer.effect(
    ExchangeRates,
    Effect.map(ExchangeRates, (inner) =>
      ExchangeRates.of({
        rate: Effect.fnUntraced(function* (from, to) {
          if (injects("rateSlow", rates.rateSlow)) yield* pause(random.below(40))
          if (injects("rateUnknown", rates.rateUnknown)) return undefined
          const offered = yield* inner.rate(from, to)
          // The rate changes: an existing quote keeps its own.
          if (offered === undefined || from === to || !injects("rateMoved", rates.rateMoved)) return offered
          const [top, bottom] = random.pick([
            [11n, 10n],
            [9n, 10n],
            [101n, 100n],
          ])
          return { ...offered, numerator: offered.numerator * top, denominator: offered.denominator * bottom }
        }),
      }),
    ),
  ).pipe(Layer.provide(SandboxRates.layer))

  return Layer.mergeAll(
    railFaults(faults, outside),
    issuer,
    verifier,
    exchangeRates,
    passkeyPort,
    vaultFaults(faults, outside),
    stablecoinFaults(faults, outside),
    webhookPort(faults, outside),
  )
}
