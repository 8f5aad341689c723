/**
 * Conformance: no part of a set and no read reaches what another tenant has.
 * Source: architecture, "The Store port" (Caller); D-518.
 */
import assert from "node:assert/strict"
import type { Caller, CurrentCaller } from "@countersign/core"
import { type AccountRef, type ChangeSet, type DataOf, Store, type StoreUnavailable } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet, replayRecord } from "./ChangeSets.ts"
import {
  account,
  agentOf,
  alpha,
  alphaId,
  ann,
  beta,
  bob,
  customer,
  customerUpdate,
  id,
  job,
  newEvent,
  ownerOf,
  platform,
  transfer,
} from "./Examples.ts"
import { equal } from "./Law.ts"
import { as, balance, claim, commit, committed, counter, event, history, jobs, read, type Suite } from "./Suite.ts"

const annsRecord = { kind: "Customer", id: ann } as const
const annsAccount: AccountRef = { kind: "InternalAccount", id: id("InternalAccount", 1) }
const strangers: ReadonlyArray<readonly [string, Caller]> = [
  ["another platform", beta],
  ["an agent of another customer", agentOf(bob)],
]

const attempt = (latencyMillis: number) => ({
  eventId: id("Webhook", 1),
  attempt: {
    at: 1,
    timestamp: "1970-01-01T00:00:01Z",
    url: "https://a.example",
    isResend: false,
    latencyMillis,
    headers: {},
  },
})

/** Writes one of everything that has an owner for the first customer of the first platform. A job is claimed, one parked, one waits. */
const everything = Effect.gen(function* () {
  yield* committed(
    changeSet({
      inserts: [
        platform(alphaId),
        customer(1),
        {
          ...annsAccount,
          kind: "InternalAccount",
          ...ownerOf(),
          data: { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD" },
        },
      ],
      claims: [{ scope: "platform", key: "k", record: annsRecord }],
      ledgerAccounts: [account("outside", { floor: null }), account("available:a")],
      transfers: [transfer("outside", "available:a", 10)],
      counters: [{ key: "k", delta: 3 }],
      events: [newEvent(1)],
      jobs: [job(1), job(2)],
      replay: replayRecord("key"),
    }),
  )
  yield* claim()
  const parked = { id: id("Job", 2), attempt: 1, outcome: "parked", notBefore: 0, error: "spent" } as const
  yield* committed(changeSet({ attempts: [attempt(1)], returns: [parked], jobs: [job(3, { dueAt: 9000 })] }))
})

type Refusal = "defect" | "Conflict" | "Committed"
type Part = Exclude<keyof ChangeSet, "operationId" | "at" | "validUntil">

/** Sets with one part, which is of what the first customer has, and how they end for a stranger. */
const parts: { readonly [part in Part]-?: readonly [name: string, Refusal, Partial<ChangeSet>] } = {
  inserts: ["insert", "defect", { inserts: [{ ...customer(3), customerId: ann }] }],
  updates: ["update", "Conflict", { updates: [customerUpdate(1, 1, { fullName: "Mine now" })] }],
  guards: ["guard", "Conflict", { guards: [{ ...annsRecord, version: 1 }] }],
  claims: ["claim", "Conflict", { claims: [{ scope: "global", key: "new", record: annsRecord }] }],
  releases: ["release", "Conflict", { releases: [{ scope: "platform", key: "k", record: annsRecord }] }],
  ledgerAccounts: ["ledger account", "defect", { ledgerAccounts: [account("new")] }],
  transfers: ["transfer", "defect", { transfers: [transfer("available:a", "outside", 1)] }],
  assertions: ["assertion", "Conflict", { assertions: [{ account: "available:a", sequence: 1 }] }],
  observes: ["observed account", "Committed", { observes: ["available:a"] }],
  counters: ["counter", "Committed", { counters: [{ key: "stranger", delta: 1, expected: 0 }] }],
  events: ["event", "defect", { events: [newEvent(2)] }],
  attempts: ["attempt", "Committed", { attempts: [attempt(2)] }],
  jobs: ["job", "defect", { jobs: [job(4)] }],
  finishes: ["finish", "Conflict", { finishes: [{ id: id("Job", 1), attempt: 1 }] }],
  returns: [
    "return",
    "Conflict",
    { returns: [{ id: id("Job", 1), attempt: 1, outcome: "retry", notBefore: 0, error: "" }] },
  ],
  replay: ["stored answer", "Committed", { replay: replayRecord("stranger") }],
}

const accountData: DataOf<"InternalAccount"> = { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD" }
const ownId = (type: "InternalAccount" | "Job" | "Webhook", n: number) => id(type, n, null)
const ownRecord = { kind: "InternalAccount", id: ownId("InternalAccount", 1) } as const
const ownAttempt = (latencyMillis: number) => ({ ...attempt(latencyMillis), eventId: ownId("Webhook", 1) })

/** Writes what a platform has without a customer: a claimed job, a parked one, and one of each other part. */
const platformsOwn = Effect.gen(function* () {
  const own = ownerOf(null)
  yield* committed(
    changeSet({
      inserts: [platform(alphaId), customer(1), { ...ownRecord, ...own, data: accountData }],
      claims: [{ scope: "platform", key: "own", record: ownRecord }],
      ledgerAccounts: [account("own outside", { ...own, floor: null }), account("own", own), account("available:a")],
      transfers: [transfer("own outside", "own", 10)],
      events: [newEvent(1, { customerId: null, subject: ownRecord.id })],
      jobs: [job(1, { customerId: null }), job(2, { customerId: null })],
    }),
  )
  yield* claim()
  const parked = { id: ownId("Job", 2), attempt: 1, outcome: "parked", notBefore: 0, error: "spent" } as const
  yield* committed(
    changeSet({ attempts: [ownAttempt(1)], returns: [parked], jobs: [job(3, { customerId: null, dueAt: 9000 })] }),
  )
})

/** Sets with one part, which is of what the platform itself has, and how they end for an agent. */
const ownParts: ReadonlyArray<readonly [name: string, Refusal, Partial<ChangeSet>]> = [
  ["update", "Conflict", { updates: [{ ...ownRecord, version: 1, data: { ...accountData, status: "CLOSED" } }] }],
  ["guard", "Conflict", { guards: [{ ...ownRecord, version: 1 }] }],
  ["claim", "Conflict", { claims: [{ scope: "global", key: "new", record: ownRecord }] }],
  ["release", "Conflict", { releases: [{ scope: "platform", key: "own", record: ownRecord }] }],
  ["transfer from an account", "defect", { transfers: [transfer("own", "available:a", 1)] }],
  ["assertion", "Conflict", { assertions: [{ account: "own", sequence: 1 }] }],
  ["observed account", "Committed", { observes: ["own"] }],
  ["attempt", "Committed", { attempts: [ownAttempt(2)] }],
  ["finish", "Conflict", { finishes: [{ id: ownId("Job", 1), attempt: 1 }] }],
  ["return", "Conflict", { returns: [{ id: ownId("Job", 1), attempt: 1, outcome: "retry", notBefore: 0, error: "" }] }],
  ["resumed job", "Conflict", { returns: [{ id: ownId("Job", 2), attempt: 1, outcome: "resumed" }] }],
]

/** The events and jobs of another platform may name a customer of the same id: they are that platform's own. */
const isOwn = (part: string, caller: Caller) => caller._tag === "Platform" && (part === "events" || part === "jobs")

type Service = Store["Service"]
type Confined = {
  readonly [K in keyof Service]: Service[K] extends Effect.Effect<infer _A, infer _E, infer R>
    ? CurrentCaller extends R
      ? K
      : never
    : Service[K] extends (...input: never) => Effect.Effect<infer _A, infer _E, infer R>
      ? CurrentCaller extends R
        ? K
        : never
      : never
}[keyof Service]

const page = { limit: 10, order: "asc" } as const

/** All reads of the port that depend on the caller. */
const reads: {
  readonly [method in Exclude<Confined, "commit">]: (
    store: Service,
  ) => Effect.Effect<unknown, StoreUnavailable, CurrentCaller>
} = {
  read: ({ read }) =>
    Effect.map(read({ records: [annsRecord], ownersOf: [annsAccount], balances: ["available:a"] }), (found) => [
      found.record("Customer", ann),
      found.owner(annsAccount),
      found.balance("available:a"),
    ]),
  list: ({ list }) => list("Customer", {}, page),
  history: ({ history }) => history(annsRecord),
  event: ({ event }) => event(id("Webhook", 1)),
  events: ({ events }) => events({}, page),
  delivery: ({ delivery }) => delivery(id("Webhook", 1)),
  jobs: ({ jobs }) => jobs,
  countJobs: ({ countJobs }) => countJobs({ kinds: ["test"], max: 9 }),
  parkedJobs: ({ parkedJobs }) => parkedJobs({ limit: 9 }),
  dueJobs: ({ dueJobs }) => dueJobs({ limit: 9 }),
  balanceTotals: ({ balanceTotals }) => balanceTotals,
  accountBalances: ({ accountBalances }) => accountBalances({ limit: 9 }),
  accountEntries: ({ accountEntries }) => accountEntries({ account: "available:a", limit: 9 }),
  ownPostings: ({ ownPostings }) => ownPostings(id("Transaction", 1)),
}

const viewOf = (caller: Caller, methods: ReadonlyArray<[string, (typeof reads)["jobs"]]> = Object.entries(reads)) =>
  Store.use((store) =>
    Effect.forEach(methods, ([method, read]) =>
      Effect.map(as(caller)(read(store)), (found) => [method, found] as const),
    ),
  )

export const tenancyOfParts = ({ test }: Suite): void => {
  test("keeps every read within the tenant of its caller", () =>
    Effect.gen(function* () {
      const before = yield* Effect.forEach(strangers, ([_, caller]) => viewOf(caller))
      const owners = yield* viewOf(alpha)
      yield* everything
      for (const [index, [method, found]] of (yield* viewOf(alpha)).entries()) {
        assert.notDeepStrictEqual(found, owners[index]?.[1], method)
      }
      for (const [index, [name, caller]] of strangers.entries()) {
        for (const [place, [method, found]] of (yield* viewOf(caller)).entries()) {
          equal(`${name} reads nothing of this tenant by \`${method}\``, found, before[index]?.[place]?.[1])
        }
      }
    }))

  test("keeps every part of a set within the tenant of its caller", () =>
    Effect.gen(function* () {
      yield* everything
      const whole = yield* viewOf(alpha)
      const { delivery, jobs, read } = reads
      const written = Object.entries({ read, delivery, jobs })
      const before = yield* viewOf(alpha, written)
      for (const [part, [name, refusal, changes]] of Object.entries(parts)) {
        const law = `no caller reaches data of another tenant by the ${name} of a set`
        for (const [_, caller] of strangers) {
          if (isOwn(part, caller)) continue
          const exit = yield* Effect.exit(commit(changeSet(changes), caller))
          equal(law, exit._tag === "Failure" ? "defect" : exit.value._tag, refusal)
          if (exit._tag === "Success" && exit.value._tag === "Committed" && part === "observes") {
            equal(law, exit.value.facts.balances, { "available:a": { balance: 0, sequence: 0 } })
          }
        }
        equal(law, yield* viewOf(alpha, written), before)
      }
      assert.deepStrictEqual(yield* viewOf(alpha), whole)
      // The key is still held.
      const again = changeSet({
        inserts: [customer(2)],
        claims: [{ scope: "platform", key: "k", record: { kind: "Customer", id: bob } }],
      })
      assert.strictEqual((yield* commit(again))._tag, "Taken")
    }))

  test("keeps every part of an agent's set away from what the platform itself has", () =>
    Effect.gen(function* () {
      yield* platformsOwn
      const view = Effect.all([
        read({ records: [ownRecord], balances: ["own"] }),
        Store.use((store) => as(alpha)(store.delivery(ownId("Webhook", 1)))),
        jobs(),
      ]).pipe(
        Effect.map(([found, ...others]) => [
          found.record(ownRecord.kind, ownRecord.id),
          found.balance("own"),
          ...others,
        ]),
      )
      const before = yield* view
      for (const [name, refusal, changes] of ownParts) {
        const law = `no agent reaches what the platform itself has by the ${name} of a set`
        const exit = yield* Effect.exit(commit(changeSet(changes), agentOf(ann)))
        equal(law, exit._tag === "Failure" ? "defect" : exit.value._tag, refusal)
        if (exit._tag === "Success" && exit.value._tag === "Committed" && name === "observed account") {
          equal(law, exit.value.facts.balances, { own: { balance: 0, sequence: 0 } })
        }
        equal(law, yield* view, before)
      }
    }))

  test("lets an agent write every part of a set for its own customer, with all its effects", () =>
    Effect.gen(function* () {
      yield* everything
      const agent = agentOf(ann)
      const whole = changeSet({
        updates: [customerUpdate(1, 1, { fullName: "Ann" })],
        guards: [{ ...annsAccount, version: 1 }],
        claims: [{ scope: "global", key: "new", record: annsRecord }],
        releases: [{ scope: "platform", key: "k", record: annsRecord }],
        ledgerAccounts: [account("available:b")],
        transfers: [transfer("available:a", "available:b", 4)],
        assertions: [{ account: "available:a", sequence: 1 }],
        counters: [{ key: "k", delta: 2, expected: 3 }],
        events: [newEvent(2)],
        attempts: [attempt(2)],
        jobs: [job(4), job(5)],
        finishes: [{ id: id("Job", 1), attempt: 1 }],
        returns: [{ id: id("Job", 2), attempt: 1, outcome: "dropped" }],
        replay: replayRecord("agent's"),
      })
      yield* committed(whole, agent)
      const [events, versions] = [yield* event(id("Webhook", 2)), yield* history(annsRecord)]
      assert.deepStrictEqual(
        versions.map(({ version }) => version),
        [1, 2],
      )
      assert.deepStrictEqual(
        [events?.id, (yield* balance("available:a")).balance, (yield* balance("available:b")).balance],
        [id("Webhook", 2), 6, 4],
      )
      assert.strictEqual(yield* counter("k"), 5)
      const left = () => Effect.map(jobs(), (all) => all.map((each) => [each.id, each.state, each.attempt]))
      const waiting = (n: number) => [id("Job", n), "waiting", 0]
      assert.deepStrictEqual(yield* left(), [waiting(3), waiting(4), waiting(5)])
      yield* claim({ limit: 2 })
      const back = { attempt: 1, notBefore: 5000, error: "later" }
      const returned = (n: number, outcome: "retry" | "parked") => ({ ...back, id: id("Job", n), outcome })
      yield* committed(changeSet({ returns: [returned(4, "retry"), returned(5, "parked")] }), agent)
      assert.deepStrictEqual(yield* left(), [waiting(3), [id("Job", 4), "waiting", 1], [id("Job", 5), "parked", 1]])
      yield* committed(changeSet({ returns: [{ id: id("Job", 5), attempt: 1, outcome: "resumed" }] }), agent)
      assert.deepStrictEqual(
        (yield* claim({ wallNow: 4000 })).map((each) => each.id),
        [id("Job", 5)],
      )
    }))
}
