/** An issuer that remembers its cards and collections, and the same issuer with one fault. */
import { type CollectOutcome, Issuer, type ProvisionOutcome, type ProvisionRequest } from "@countersign/core/ports"
import { Clock, Effect, Layer, Redacted } from "effect"

export const issuerFaults = [
  "forgets its cards",
  "forgets its collections",
  "looks for a repetition before it waits for its processor",
  "gives one card for all requests",
  "takes equal amounts for repetitions",
  "refuses a repetition",
  "names times by the system's clock",
  "changes its mind after a day",
  "shows more than four digits",
  "counts thirteen months",
  "produces a card by a change of state",
  "shows the number in the address",
  "gives addresses by the system's clock",
  "logs addresses",
  "logs passwords",
  "answers with passwords",
  "collects when it screens",
  "throws",
] as const
export type IssuerFault = (typeof issuerFaults)[number]

const delayMillis = 30_000
const dayMillis = 24 * 60 * 60 * 1000

/** `since` is when the request arrived. */
interface Entry<A> {
  readonly outcome: A
  readonly since: number
}

type Undecided = Extract<CollectOutcome, { readonly _tag: "Later" }>

export const faultyIssuer = (fault?: IssuerFault) => {
  let produced = 0
  let collected = 0
  const cards = new Map<string, Entry<ProvisionOutcome>>()
  const collections = new Map<string, Entry<CollectOutcome>>()

  const later = (since: number): Undecided => ({
    _tag: "Later",
    at: (fault === "names times by the system's clock" ? Date.now() : since) + delayMillis,
  })

  /** Answers a request of a reference once; `kind` 1 is refused, 2 takes half a minute. */
  const carryOut = Effect.fnUntraced(function* <A extends ProvisionOutcome | CollectOutcome>(
    entries: Map<string, Entry<A | { readonly _tag: "Refused" }>>,
    reference: string,
    kind: number,
    make: () => A,
  ) {
    const now = yield* Clock.currentTimeMillis
    const known = entries.get(reference)
    if (fault === "looks for a repetition before it waits for its processor") yield* Effect.yieldNow
    if (fault === "throws") return yield* Effect.die(new Error("no connection"))
    if (known !== undefined && fault === "refuses a repetition") return { _tag: "Refused" } as const
    const entry = known ?? { outcome: kind === 1 ? ({ _tag: "Refused" } as const) : make(), since: now }
    entries.set(reference, entry)
    if (kind === 2 && now < entry.since + delayMillis) return later(entry.since)
    const isOther = fault === "changes its mind after a day" && now >= entry.since + dayMillis
    return isOther ? ({ _tag: "Refused" } as const) : entry.outcome
  })

  const provision = Effect.fnUntraced(function* ({ card, reference, threeDSecurePassword }: ProvisionRequest) {
    const password = threeDSecurePassword === undefined ? "" : Redacted.value(threeDSecurePassword)
    yield* Effect.logInfo("card", fault === "logs passwords" ? password : threeDSecurePassword)
    if (fault === "forgets its cards") cards.delete(reference)
    return yield* carryOut(cards, reference, Number(card.platformCardId), (): ProvisionOutcome => {
      produced += 1
      return {
        _tag: "Done",
        brand: "VISA",
        last4: fault === "shows more than four digits" ? "411111" : "1111",
        expMonth: fault === "counts thirteen months" ? 13 : 12,
        expYear: new Date().getUTCFullYear() + 3,
        processorRef: fault === "gives one card for all requests" ? "card" : `card ${produced}`,
        ...(fault === "answers with passwords" ? { issuerRef: password } : {}),
      }
    })
  })

  const layer = Layer.succeed(Issuer, {
    isOffered: true,
    needsDelegatedKeys: false,
    takesThreeDSecurePassword: true,
    admits: () => Effect.succeed(true),
    provision,
    changeState: () => {
      if (fault === "produces a card by a change of state") produced += 1
      return Effect.succeed({ _tag: "Done" })
    },
    reveal: Effect.fnUntraced(function* ({ reference }) {
      const now = fault === "gives addresses by the system's clock" ? Date.now() : yield* Clock.currentTimeMillis
      const shown = fault === "shows the number in the address" ? "4111111111111111" : reference
      const url = `https://issuer.example/show?card=${encodeURIComponent(shown)}`
      if (fault === "logs addresses") yield* Effect.logInfo(url)
      return { _tag: "Done" as const, panEmbedUrl: Redacted.make(url), expiresAt: now + 60_000 }
    }),
    screen: () => {
      if (fault === "collects when it screens") collected += 1
      return Effect.undefined
    },
    collect: ({ amount, reference }) => {
      if (fault === "forgets its collections") collections.delete(reference)
      const key = fault === "takes equal amounts for repetitions" ? String(amount) : reference
      return carryOut(collections, key, amount % 10, (): CollectOutcome => {
        collected += 1
        return { _tag: "Done" }
      })
    },
  })
  return { layer, produced: Effect.sync(() => produced), collected: Effect.sync(() => collected) }
}
