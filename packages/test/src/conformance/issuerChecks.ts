/**
 * What every layer of `Issuer` has to do: produce each card and collect each payment once, and show no number outside of its page.
 * Source: wire contract 3.4, 3.5 and 7.5; D-181, D-444; ports/Issuer.ts.
 */
import { randomUUID } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import {
  type CollectOutcome,
  type CollectRequest,
  Issuer,
  type ProvisionOutcome,
  type ProvisionRequest,
} from "@countersign/core/ports"
import { DateTime, Effect, type Layer, Redacted } from "effect"
import { checksOf, fail, type PortBench, type PortCheck, settled } from "./PortChecks.ts"

/** Requests for an issuer's test system, and how many it has carried out. */
export interface IssuerConformanceOptions {
  /** Cards with all kinds of outcomes that the issuer's test system offers. Each check requests them under new references. */
  readonly cards: ReadonlyArray<ProvisionRequest>
  /** Collections with all kinds of outcomes. */
  readonly collections: ReadonlyArray<CollectRequest>
  /** How many cards the issuer has produced, and how many collections it has made. */
  readonly produced: Effect.Effect<number>
  readonly collected: Effect.Effect<number>
  /** For a simulation without a memory, which counts nothing. */
  readonly isStateless?: boolean
}

type Port = Issuer["Service"]
type Outcome = ProvisionOutcome | CollectOutcome

const isFinal = ({ _tag }: Outcome): boolean => _tag === "Done" || _tag === "Refused"

/** Fails if a final outcome is followed by another one, or by another card. */
const agree = (first: Outcome, next: Outcome) =>
  !isFinal(first) || next._tag === "Unknown" || isDeepStrictEqual(first, next)
    ? Effect.void
    : fail("another outcome", { first, next })

const renewedCard = (card: ProvisionRequest, now: number): ProvisionRequest => ({
  ...card,
  reference: `Card:${randomUUID()}`,
  issuedAt: now,
})

const renewedCollection = (collection: CollectRequest, now: number): CollectRequest => ({
  ...collection,
  reference: `CardTransaction:${randomUUID()}:1`,
  requestedAt: now,
})

/** What the service does with a reference until it knows the outcome: it sends the same request again. */
interface Asked {
  readonly ask: () => Effect.Effect<Outcome>
  readonly another: () => Effect.Effect<Outcome>
  readonly count: Effect.Effect<number>
}

export const issuerChecks = <E>(
  layer: Layer.Layer<Issuer, E>,
  { cards, collected, collections, isStateless = false, produced }: IssuerConformanceOptions,
): ReadonlyArray<PortCheck> => {
  const make = checksOf(Issuer, layer)
  const askedOf = (issuer: Port, bench: PortBench): ReadonlyArray<Asked> => [
    ...cards.map((card) => {
      const [own, other] = [renewedCard(card, bench.now()), renewedCard(card, bench.now())]
      return { ask: () => issuer.provision(own), another: () => issuer.provision(other), count: produced }
    }),
    ...collections.map((each) => {
      const [own, other] = [renewedCollection(each, bench.now()), renewedCollection(each, bench.now())]
      return { ask: () => issuer.collect(own), another: () => issuer.collect(other), count: collected }
    }),
  ]
  const check = (title: string, body: (asked: Asked, bench: PortBench) => Effect.Effect<void>): PortCheck =>
    make(title, (issuer, bench) =>
      Effect.forEach(askedOf(issuer, bench), (asked) => body(asked, bench), { discard: true }),
    )
  const checkCards = (
    title: string,
    body: (issuer: Port, request: ProvisionRequest, bench: PortBench) => Effect.Effect<void>,
  ): PortCheck =>
    make(title, (issuer, bench) =>
      Effect.forEach(cards, (card) => body(issuer, renewedCard(card, bench.now()), bench), { discard: true }),
    )

  return [
    ...[1, "unbounded" as const].map((concurrency) =>
      check(
        concurrency === 1
          ? "a request that is repeated has one outcome, and is carried out once"
          : "a request that arrives twice at the same time is carried out once",
        ({ ask, count }, bench) =>
          Effect.gen(function* () {
            const before = yield* count
            const [first, next] = yield* Effect.all([Effect.suspend(ask), Effect.suspend(ask)], { concurrency })
            if (concurrency === 1 || isFinal(next)) yield* agree(first, next)
            const end = yield* settled(bench, Effect.suspend(ask))
            yield* Effect.all([agree(first, end), agree(next, end)])
            const times = (yield* count) - before
            if (times > 1) return yield* fail("carried out more than once", { times, end })
          }),
      ),
    ),

    check(
      "requests that differ in their references alone are each carried out, unless they are refused",
      (asked, bench) =>
        Effect.gen(function* () {
          const before = yield* asked.count
          const outcomes = yield* Effect.forEach([asked.ask, asked.another], (ask) =>
            settled(bench, Effect.suspend(ask)),
          )
          if (isStateless) return
          const count = (yield* asked.count) - before
          const done = outcomes.filter(({ _tag }) => _tag === "Done").length
          const open = outcomes.filter((outcome) => !isFinal(outcome)).length
          if (count < done || count > done + open)
            return yield* fail("not carried out as answered", { count, outcomes })
          const references = outcomes.flatMap((outcome) =>
            "processorRef" in outcome ? (outcome.processorRef ?? []) : [],
          )
          if (new Set(references).size < references.length) return yield* fail("one card for two requests", references)
        }),
    ),

    check(
      "an outcome that is not known yet names the business time at which to ask, and a final one stays",
      ({ ask }, bench) =>
        Effect.gen(function* () {
          const first = yield* settled(bench, Effect.suspend(ask))
          for (const days of [1, 100]) {
            bench.advanceTo(bench.now() + days * 24 * 60 * 60 * 1000)
            yield* agree(first, yield* ask())
          }
        }),
    ),

    checkCards(
      "a produced card has four last digits, and expires in a month after its issue",
      (issuer, request, bench) =>
        Effect.gen(function* () {
          const outcome = yield* settled(
            bench,
            Effect.suspend(() => issuer.provision(request)),
          )
          if (outcome._tag !== "Done") return
          const { year } = DateTime.toPartsUtc(DateTime.makeUnsafe(request.issuedAt))
          const { expMonth, expYear, last4 } = outcome
          const isMonth = Number.isInteger(expMonth) && expMonth >= 1 && expMonth <= 12
          const isYear = Number.isInteger(expYear) && expYear >= year && expYear <= year + 30
          if (!/^\d{4}$/u.test(last4) || !isMonth || !isYear)
            return yield* fail("no card", { expMonth, expYear, last4 })
        }),
    ),

    checkCards("a change of state is accepted again, and produces no card", (issuer, { card, ...request }) =>
      Effect.gen(function* () {
        yield* issuer.provision({ card, ...request })
        const before = yield* produced
        for (const version of [2, 2, 3]) {
          yield* issuer.changeState({ reference: request.reference, card: { ...card, state: "FROZEN" }, version })
        }
        if ((yield* produced) !== before) return yield* fail("a change of state produced a card", request.reference)
      }),
    ),

    checkCards("the address that shows a card ends, and contains no card number", (issuer, request, bench) =>
      Effect.gen(function* () {
        const outcome = yield* settled(
          bench,
          Effect.suspend(() => issuer.provision(request)),
        )
        if (outcome._tag !== "Done") return
        const { _tag, ...produced } = outcome
        const card = { ...request.card, ...produced, state: "ACTIVE" as const }
        const sign = () => Effect.succeed("signature")
        const shown = yield* issuer.reveal({ reference: request.reference, card, origin: "https://host.example", sign })
        if (shown._tag === "Unknown") return
        const url = Redacted.value(shown.panEmbedUrl)
        const isPage = URL.canParse(url) && new URL(url).protocol === "https:"
        if (!isPage || /\d{15}/u.test(url)) {
          return yield* fail("no address, or one with a number", request.reference)
        }
        if (!(shown.expiresAt > bench.now())) return yield* fail("ended already (ms of business time)", shown.expiresAt)
        if (bench.logged().includes(url)) return yield* fail("the log contains the address", request.reference)
      }),
    ),

    checkCards("a 3-D Secure password reaches no outcome and no log", (issuer, request, bench) =>
      Effect.gen(function* () {
        if (!issuer.takesThreeDSecurePassword) return
        const password = `pass-${randomUUID()}`
        const outcome = yield* issuer.provision({ ...request, threeDSecurePassword: Redacted.make(password) })
        const shown = `${JSON.stringify(outcome)}${bench.logged()}`
        if (shown.includes(password)) return yield* fail("the password is shown", request.reference)
      }),
    ),

    make("screening a purchase and asking about a funding source move nothing, and have one answer", (issuer) =>
      Effect.forEach(
        collections,
        Effect.fnUntraced(function* ({ accountId, amount, merchant, reference }) {
          const [request] = cards
          if (request === undefined) return
          const before = [yield* produced, yield* collected]
          const ask = () =>
            Effect.all([issuer.admits(accountId), issuer.screen({ reference, card: request.card, merchant, amount })])
          const [first, next] = [yield* ask(), yield* ask()]
          if (!isDeepStrictEqual(first, next)) return yield* fail("another answer", { first, next })
          const after = [yield* produced, yield* collected]
          if (!isDeepStrictEqual(before, after)) return yield* fail("a question moved something", { before, after })
        }),
        { discard: true },
      ),
    ),
  ]
}
