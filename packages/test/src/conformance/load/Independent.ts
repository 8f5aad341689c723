/**
 * Under load: sets that depend on nothing are all committed, whatever is committed beside them, and no part of them is lost.
 * Source: D-518.
 */
import type { Caller } from "@countersign/core"
import { type ChangeSet, type NewEvent, Placeholders, sees, type Template } from "@countersign/core/store"
import { Effect } from "effect"
import { auditState } from "../audit/Audit.ts"
import { changeSet, replayRecord } from "../ChangeSets.ts"
import { agent, alpha, beta, customer, job, newEvent, transfer } from "../Examples.ts"
import { equal, never } from "../Law.ts"
import { commit, committed } from "../Suite.ts"
import * as Generator from "./Generator.ts"
import { availableOf, outsideOf, owners, writers } from "./Writers.ts"

const batches = 8
const setsOfBatch = 20
const resent = 3

interface Asked {
  readonly set: ChangeSet
  readonly caller: Caller
}

type OwnedEvent = NewEvent & { readonly platformId: string }

const counted: Template = { body: { uses: 0 }, placeholders: [{ path: ["uses"], counter: "load 1" }] }
const plain = (n: number): Template => ({ body: { n, text: `é "${n}"` }, placeholders: [] })

const attempt = (eventId: string, at: number) => ({
  eventId,
  attempt: {
    at,
    timestamp: "1970-01-01T00:00:01Z",
    url: "https://example.com/hooks",
    isResend: false,
    latencyMillis: 12,
    status: 200,
    headers: { "webhook-id": eventId },
  },
})

/** Returns a set with random parts. Its identifiers contain `n`; its attempt is of an event that was committed before. */
const setOf = (generator: Generator.Generator, n: number, committedEvents: ReadonlyArray<OwnedEvent>): Asked => {
  const { below, isOneIn, many, pick } = generator
  const { caller, owners: own } = pick(writers)
  const owner = pick(own)
  const { customerId, platformId } = owner
  const isPlatform = caller._tag === "Platform"
  const known = committedEvents.filter((one) => sees(caller, one))
  const attempted = known[below(known.length + 1)]
  const set = changeSet({
    at: 1000 + below(40),
    inserts: isOneIn(2) ? [agent(n, owner), ...(isPlatform ? [customer(n, {}, platformId)] : [])] : [],
    events: many(below(3), (index) =>
      newEvent(n + index, {
        customerId,
        type: pick(["TEST", "CUSTOMER.KYC_APPROVED"]),
        subject: `subject ${below(5)}`,
        data: isOneIn(3) ? counted : plain(n),
      }),
    ),
    attempts: attempted === undefined ? [] : [attempt(attempted.id, n)],
    jobs: many(below(3), (index) =>
      job(n + index, { customerId, dueAt: below(3000), lane: `lane ${below(9)}`, payload: { n, of: customerId } }),
    ),
    transfers: many(below(3), (index) =>
      transfer(outsideOf(owner).id, availableOf(owner, index % 2).id, 1 + below(90)),
    ),
    counters: [
      { key: "load 1", delta: 1 },
      ...many(below(3), () => ({ key: `load ${2 + below(4)}`, delta: below(9) })),
    ],
    ...(isOneIn(3)
      ? { replay: replayRecord(`load ${n}`, { answer: isOneIn(2) ? counted : plain(n), expiresAt: 9_000_000 }) }
      : {}),
  })
  return { set, caller }
}

/** Opens the accounts of all owners. */
const opened = Effect.forEach(owners, (owner) =>
  committed(
    changeSet({ ledgerAccounts: [outsideOf(owner), availableOf(owner), availableOf(owner, 1)] }),
    owner.platformId === alpha.platformId ? alpha : beta,
  ),
)

const atOnce = { concurrency: "unbounded" } as const

export const independentSets = Effect.fnUntraced(function* (seed: number) {
  const generator = Generator.make(seed)
  yield* opened
  const events: Array<OwnedEvent> = []
  for (let batch = 0; batch < batches; batch++) {
    const asked = generator.many(setsOfBatch, (index) => setOf(generator, 10 * (100 * batch + index + 10), events))
    const outcomes = yield* Effect.forEach(asked, ({ caller, set }) => commit(set, caller), atOnce)
    never(
      "a set that depends on nothing is committed",
      outcomes.filter(({ _tag }) => _tag !== "Committed"),
    )
    for (const { caller, set } of asked) {
      for (const event of set.events) events.push({ ...event, platformId: caller.platformId })
    }
    yield* auditState
    for (let n = 0; n < resent; n++) {
      const index = generator.below(asked.length)
      const [again, first] = [asked[index], outcomes[index]]
      if (again === undefined || first?._tag !== "Committed") continue
      const { replay } = again.set
      const facts = replay === undefined ? first.facts : Placeholders.factsToStore(replay.answer, first.facts)
      equal("a set that is sent again is applied once and has the same facts", yield* commit(again.set, again.caller), {
        _tag: "Committed",
        facts,
      })
    }
  }
})
