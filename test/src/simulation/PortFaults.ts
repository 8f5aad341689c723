/**
 * Injects faults into the ports of a simulated run: banks, issuers, verifiers and rates that answer `Unknown` or late. After `Unknown` the
 * request may have been executed or not.
 * Source: architecture, "Jobs, external calls and time".
 */
import { ExchangeRates, Issuer, Rails, Verifier } from "@countersign/core/ports"
import { SandboxIssuer, SandboxRails, SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import type { FaultRates, InjectsFault } from "./FaultRates.ts"
import type { Randomness } from "./Randomness.ts"

type Unknown = { readonly _tag: "Unknown"; readonly cause: string }
type Later = { readonly _tag: "Later"; readonly at: number }

const slowMillis = 700
const unknown: Unknown = { _tag: "Unknown", cause: "a fault of the simulation" }
const later = Effect.clockWith(({ currentTimeMillis }) =>
  Effect.map(currentTimeMillis, (now): Later => ({ _tag: "Later", at: now + slowMillis })),
)
const pause = (times: number) => Effect.repeat(Effect.yieldNow, { times })

export const portFaults = (random: Randomness, injects: InjectsFault, rates: FaultRates): Layer.Layer<never> => {
  /** A request to a port that may not know the answer. */
  const uncertain =
    (who: "rail" | "issuer" | "verifier") =>
    <A>(asked: Effect.Effect<A>): Effect.Effect<A | Unknown | Later> =>
      Effect.suspend((): Effect.Effect<A | Unknown | Later> => {
        const [isUnknown, isSlow] = [`${who}Unknown`, `${who}Slow`] as const
        if (injects(isUnknown, rates[isUnknown])) {
          return random.once(2) ? Effect.as(asked, unknown) : Effect.succeed(unknown)
        }
        return injects(isSlow, rates[isSlow]) ? later : asked
      })

  const rails = Layer.effect(
    Rails,
    Effect.map(Rails, (inner) => {
      const asked = uncertain("rail")
      return Rails.of({
        ...inner,
        pull: (request) => asked(inner.pull(request)),
        push: (request) => asked(inner.push(request)),
        inquire: (instruction) => asked(inner.inquire(instruction)),
        refund: (request) => asked(inner.refund(request)),
      })
    }),
  ).pipe(Layer.provide(SandboxRails.layer))

  const issuer = Layer.effect(
    Issuer,
    Effect.map(Issuer, (inner) => {
      const asked = uncertain("issuer")
      return Issuer.of({
        ...inner,
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
      Verifier.of({ ...inner, verifyBeneficiary: (check) => uncertain("verifier")(inner.verifyBeneficiary(check)) }),
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

  return Layer.mergeAll(rails, issuer, verifier, exchangeRates)
}
