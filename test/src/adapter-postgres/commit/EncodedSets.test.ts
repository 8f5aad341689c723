/** What a change set locks, and how it is encoded for the commit functions. Source: `EncodedChangeSet.ts`, `LockNames.ts`, `SerialChangeSet.ts`. */
import { amountMax } from "@countersign/core/models"
import type { ChangeSet } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  guardsOf,
  make,
  ownerOf,
  upperBound,
} from "../../../../packages/adapter-postgres/src/commit/EncodedChangeSet.ts"
import { encodeLockNames, lockNamesOf } from "../../../../packages/adapter-postgres/src/commit/LockNames.ts"
import { serialChangeSet } from "../../../../packages/adapter-postgres/src/commit/SerialChangeSet.ts"
import { kindTable } from "../../../../packages/adapter-postgres/src/schema/KindTables.ts"
import { changeSet, replayRecord } from "../../../../packages/test/src/conformance/ChangeSets.ts"
import {
  agentOf,
  alpha,
  alphaId,
  ann,
  bob,
  customer,
  customerUpdate,
  id,
  job,
  newEvent,
  transfer,
} from "../../../../packages/test/src/conformance/Examples.ts"
import { attempt } from "../../store/Attempts.ts"
import { encoded } from "./Pending.ts"

const customers = kindTable("Customer").number
const record = { kind: "Customer", id: ann } as const
const guard = { ...record, version: 1 }
const claim = { scope: "platform", key: "k", record } as const

describe("the locks of a set", () => {
  it.each<readonly [string, Partial<ChangeSet>, ReadonlyArray<string>]>([
    [
      "an update",
      { updates: [customerUpdate(1, 1)] },
      [`locks  record ${alphaId} Customer ${ann} true`, `records ${customers} ${alphaId} ${ann}`],
    ],
    ["a guard", { guards: [guard] }, [`locks  record ${alphaId} Customer ${ann} false`]],
    [
      "a transfer",
      { transfers: [transfer("a", "b", 1), transfer("b", "a", 1)] },
      [`accounts  ${alphaId} a`, `accounts  ${alphaId} b`],
    ],
    ["an assertion", { assertions: [{ account: "a", sequence: 1 }] }, [`accounts  ${alphaId} a`]],
    ["a counter", { counters: [{ key: "k", delta: 1 }] }, [`counters  ${alphaId} k`]],
    ["a finish", { finishes: [{ id: "j", attempt: 1 }] }, ["jobs  j"]],
    ["a return", { returns: [{ id: "j", attempt: 1, outcome: "resumed" }] }, ["jobs  j"]],
    ["a claim", { claims: [claim] }, [`keys  k ${alphaId}`]],
    ["a claim of all platforms", { claims: [{ ...claim, scope: "global" }] }, ["keys  k "]],
    ["a release", { releases: [claim] }, [`keys  k ${alphaId}`]],
    ["a job in a lane", { jobs: [job(1, { lane: "l" })] }, [`locks  lane work ${alphaId} l true`]],
    ["a job that opens its lane", { jobs: [job(1, { lane: "l", opensLane: true })] }, []],
    ["a job without a lane", { jobs: [job(1)] }, []],
    ["an attempt", { attempts: [{ eventId: "e", attempt }] }, [`locks  attempts ${alphaId} e true`]],
  ])("of %s", (_, parts, names) => {
    const set = encoded(parts)
    const own = `locks  operation ${alphaId} ${set.set.operationId} true`
    expect(lockNamesOf(set).map(({ name }) => name)).toEqual([own, ...names])
  })

  it("include its idempotency key instead of its operation", () => {
    expect(lockNamesOf(encoded({ replay: replayRecord("key") })).map(({ name }) => name)).toEqual([
      `locks  replay ${alphaId} key true`,
    ])
  })

  it("are looked for by part, records by kind, with their numbers", () => {
    const names = lockNamesOf(
      encoded({ updates: [customerUpdate(1, 1), customerUpdate(2, 1)], finishes: [{ id: "j", attempt: 1 }] }),
    )
    expect(JSON.parse(encodeLockNames(names))).toEqual({
      locks: names.slice(0, 3).map(({ row }, number) => [number, ...row]),
      records: [
        [
          customers,
          [
            [3, alphaId, ann],
            [4, alphaId, bob],
          ],
        ],
      ],
      jobs: [[5, "j"]],
    })
    expect(JSON.parse(encodeLockNames([]))).toEqual({ records: [] })
  })
})

describe("the names that sets in flight exclude each other by", () => {
  it("are the locks that a set needs alone, and its jobs, but no lanes", () => {
    const { exclusive, shared } = encoded({
      guards: [guard],
      jobs: [job(1, { lane: "l" })],
      finishes: [{ id: "f", attempt: 1 }],
      returns: [{ id: "r", attempt: 1, outcome: "resumed" }],
      replay: replayRecord("key"),
    })
    expect(exclusive).toEqual([`replay ${alphaId} key`, "job f", "job r", `job ${job(1).id}`])
    expect(shared).toEqual([`record ${alphaId} Customer ${ann}`])
  })
})

describe("the guards of a set", () => {
  const others = { kind: "Customer", id: bob, version: 1 } as const
  it.each<readonly [string, Partial<ChangeSet>, ReadonlyArray<object>]>([
    ["are those of records that it does not write", { guards: [guard, others] }, [guard, others]],
    [
      "include none that an update of the same version checks",
      { guards: [guard], updates: [customerUpdate(1, 1)] },
      [],
    ],
    [
      "fail beside an update of another version",
      { guards: [guard], updates: [customerUpdate(1, 2)] },
      [{ ...guard, version: -1 }],
    ],
    ["fail beside an insert", { guards: [guard], inserts: [customer(1)] }, [{ ...guard, version: -1 }]],
    ["stay beside an update of another record", { guards: [others], updates: [customerUpdate(1, 1)] }, [others]],
  ])("%s", (_, parts, guards) => expect(guardsOf(changeSet(parts))).toEqual(guards))
})

it("the receipt of a set belongs to its only customer, or to the platform", () => {
  const [ofAnn, ofBob, ofPlatform] = [newEvent(1), newEvent(2, { customerId: bob }), newEvent(3, { customerId: null })]
  expect(
    [
      {},
      { events: [ofAnn] },
      { jobs: [job(1)], events: [ofAnn] },
      { inserts: [customer(2)] },
      { events: [ofAnn, ofBob] },
      { events: [ofPlatform] },
      { events: [ofAnn, ofPlatform] },
    ].map((parts) => ownerOf(changeSet(parts), alpha)),
  ).toEqual([alphaId, ann, ann, bob, alphaId, alphaId, alphaId])
})

it("a counter is bounded where it grows and has a maximum, and by the largest amount always", () => {
  expect(
    [
      { delta: 1 },
      { delta: 1, max: 5 },
      { delta: 1, max: amountMax + 1 },
      { delta: -1, max: 5 },
      { delta: 0, max: 5 },
    ].map((change) => upperBound({ key: "k", ...change })),
  ).toEqual([amountMax, 5, amountMax, amountMax, amountMax])
})

describe("the set-based commit", () => {
  it.each<readonly [string, Partial<ChangeSet>, boolean]>([
    ["nothing special", { inserts: [customer(1)], claims: [claim], counters: [{ key: "k", delta: 1 }] }, true],
    ["a release", { releases: [claim] }, false],
    ["a return", { returns: [{ id: "j", attempt: 1, outcome: "resumed" }] }, false],
    [
      "a new ledger account",
      { ledgerAccounts: [{ id: "a", platformId: alphaId, customerId: ann, currency: "USD", floor: 0 }] },
      false,
    ],
    ["an assertion", { assertions: [{ account: "a", sequence: 1 }] }, false],
    ["an erasure", { updates: [{ ...customerUpdate(1, 1), erasesHistory: true }] }, false],
    ["an expected counter", { counters: [{ key: "k", delta: 1, expected: 0 }] }, false],
    ["a key of a record that it does not insert", { claims: [claim] }, false],
  ])("takes a set with %s: %s", (_, parts, isTaken) => {
    const { isBatchable } = encoded(parts)
    expect(isBatchable).toBe(isTaken)
  })
})

describe("a set of the serial commit", () => {
  const sums = { names: { balances: ["a"], counters: ["k"] }, text: "7,1,2" }
  const event = newEvent(1, { data: { body: { n: 0 }, placeholders: [{ path: ["n"], counter: "k" }] } })
  const parts = { transfers: [transfer("a", "b", 5)], events: [event], replay: replayRecord("key") }
  const rowsOf = (set: ReturnType<typeof encoded>, isLate = false): Readonly<Record<string, unknown>> => ({
    ...serialChangeSet(set, isLate),
  })

  it("has its envelope, and no part that is empty", () => {
    const set = encoded({}, agentOf(ann))
    expect(rowsOf(set)).toEqual({
      platform: alphaId,
      agentCustomer: ann,
      operation: set.set.operationId,
      operationOwner: alphaId,
      decidedAt: 1000,
      wallNow: 1000,
      receiptExpiresAt: 1000 + 8 * 24 * 60 * 60 * 1000,
      observed: [],
      locks: [[`operation ${alphaId} ${set.set.operationId}`, true]],
    })
    expect(rowsOf(set, true)).toMatchObject({ isLate: true })
  })

  it("takes the sums of the whole set only where it is a part of one that has them", () => {
    const whole = rowsOf(encoded(parts))
    expect(whole).toMatchObject({ observed: ["a", "b"] })
    expect(whole["events"]).toEqual([[event.id, "TEST", ann, ann, expect.any(String), expect.any(String), null]])
    const lone = rowsOf(make(changeSet(parts), alpha, 1000, { transferNumbers: [3] }))
    expect(lone).toMatchObject({
      observed: ["a", "b"],
      replay: ["key", "fingerprint", 201, expect.any(String), 100_000, null, null],
    })
    expect(lone["entries"]).toEqual([
      ["a", -5, "0", 0, id("Transaction", 1), 3],
      ["b", 5, "0", 0, id("Transaction", 1), 3],
    ])
    const part = rowsOf(make(changeSet(parts), alpha, 1000, { sums }))
    expect(part).toMatchObject({
      observed: [],
      replay: ["key", "fingerprint", 201, expect.any(String), 100_000, null, sums.text],
    })
    expect(part["events"]).toEqual([
      [event.id, "TEST", ann, ann, expect.any(String), JSON.stringify(sums.names), sums.text],
    ])
  })

  it("names the owner of a key whose record is elsewhere", () => {
    const ownersElsewhere = new Map([[`Customer ${ann}`, ann]])
    const claimsOf = (part?: object) => rowsOf(make(changeSet({ claims: [claim] }), alpha, 1000, part))["claims"]
    const row = ["k", alphaId, "Customer", customers, ann]
    expect(claimsOf()).toEqual([[...row, false, null]])
    expect(claimsOf({ ownersElsewhere })).toEqual([[...row, true, ann]])
    expect(claimsOf({ ownersElsewhere: new Map([[`Customer ${ann}`, null]]) })).toEqual([[...row, true, null]])
  })
})
