/** The rows that the change sets of a batch become, part by part. Source: `BatchParts.ts`, `BatchColumns.ts`. */
import type { ChangeSet } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  addJobs,
  addLocks,
  addMessages,
  addRecords,
  addSets,
} from "../../../../packages/adapter-postgres/src/commit/BatchParts.ts"
import { BatchRows, type Part, type RowOf } from "../../../../packages/adapter-postgres/src/schema/BatchColumns.ts"
import { fieldValues, kindTable } from "../../../../packages/adapter-postgres/src/schema/KindTables.ts"
import { encodeTemplate } from "../../../../packages/adapter-postgres/src/schema/StoredTemplate.ts"
import { replayRecord } from "../../../../packages/test/src/conformance/ChangeSets.ts"
import {
  agent,
  agentOf,
  alphaId,
  ann,
  beta,
  betaId,
  bob,
  customer,
  customerUpdate,
  job,
  newEvent,
} from "../../../../packages/test/src/conformance/Examples.ts"
import { attempt } from "../../store/Attempts.ts"
import { encoded } from "./Pending.ts"

/** Rows that a test can read. */
class ReadableRows extends BatchRows {
  readonly added: Array<readonly [part: string, row: object]> = []
  override add<P extends Part>(part: P, row: RowOf<P>): void {
    super.add(part, row)
    this.added.push([part, row])
  }
  of(wanted: Part): ReadonlyArray<object> {
    return this.added.flatMap(([part, row]) => (part === wanted ? [row] : []))
  }
}

type Sets = ReadonlyArray<ReturnType<typeof encoded>>
const rowsOf = (add: (rows: BatchRows, sets: Sets) => void, ...sets: Sets): ReadableRows => {
  const rows = new ReadableRows()
  add(rows, sets)
  return rows
}

describe("the locks of a batch", () => {
  const guard = (n: number) => ({ kind: "Customer", id: n === 1 ? ann : bob, version: 1 }) as const
  const lockOf = (id: string) => `record ${alphaId} Customer ${id}`
  const replayed = (parts: Partial<ChangeSet>, key: string) => encoded({ ...parts, replay: replayRecord(key) })

  it("are taken once each, and exclusively if any set needs them so", () => {
    const shares = replayed({ guards: [guard(1), guard(2)] }, "1")
    const excludes = replayed({ updates: [customerUpdate(1, 1)] }, "2")
    const expected = [
      { name: lockOf(ann), exclusive: true },
      { name: lockOf(bob), exclusive: false },
      { name: `replay ${alphaId} 1`, exclusive: true },
      { name: `replay ${alphaId} 2`, exclusive: true },
    ]
    for (const sets of [
      [shares, excludes],
      [excludes, shares],
    ]) {
      const locks = rowsOf(addLocks, ...sets).of("lock")
      expect(locks).toHaveLength(expected.length)
      expect(locks).toEqual(expect.arrayContaining(expected))
    }
  })
})

describe("the records of a batch", () => {
  it("come kind after kind with the number of their set, and the ranges say where each kind ends", () => {
    const guarded = { kind: "Agent", id: "Agent:9", version: 4 } as const
    const newAgent = agent(1)
    const newCustomer = customer(2)
    const updated = customerUpdate(1, 7)
    const rows = rowsOf(
      addRecords,
      encoded({ inserts: [newAgent], updates: [updated], guards: [guarded] }),
      encoded({ inserts: [newCustomer, agent(2)], guards: [{ kind: "Customer", id: ann, version: 2 }] }),
    )
    const [agents, customers] = [kindTable("Agent"), kindTable("Customer")]
    expect(customers.number).toBeLessThan(agents.number)
    expect(rows.of("guard")).toEqual([
      { set_number: 2, id: ann, version: 2 },
      { set_number: 1, id: "Agent:9", version: 4 },
    ])
    expect(rows.of("guard_range")).toEqual([
      { kind: customers.number, last: 1 },
      { kind: agents.number, last: 2 },
    ])
    expect(rows.of("updated")).toEqual([
      {
        set_number: 1,
        id: ann,
        version: 7,
        fields: JSON.stringify(fieldValues(customers, updated.data)),
        data: JSON.stringify(updated.data),
      },
    ])
    expect(rows.of("updated_range")).toEqual([{ kind: customers.number, last: 1 }])
    const inserts = rows.of("inserted")
    expect(inserts).toHaveLength(3)
    expect(inserts).toContainEqual({
      set_number: 2,
      id: newCustomer.id,
      customer: newCustomer.id,
      fields: JSON.stringify(fieldValues(customers, newCustomer.data)),
      data: JSON.stringify(newCustomer.data),
    })
    expect(inserts).toContainEqual(expect.objectContaining({ set_number: 1, id: newAgent.id, customer: ann }))
    expect(rows.of("inserted_range")).toEqual([
      { kind: customers.number, last: 1 },
      { kind: agents.number, last: 3 },
    ])
  })
})

describe("the sets of a batch", () => {
  it("have their caller, owner, times and the end of their receipt after eight days", () => {
    const agents = encoded({ at: 5 }, agentOf(ann))
    const platforms = encoded({ jobs: [job(1, { customerId: bob })] }, beta)
    expect(rowsOf(addSets, agents, platforms).of("set")).toEqual([
      {
        platform: alphaId,
        agent_customer: ann,
        operation: agents.set.operationId,
        owner: alphaId,
        decided_at: 5,
        receipt_expires_at: 1000 + 691_200_000,
      },
      {
        platform: betaId,
        agent_customer: null,
        operation: platforms.set.operationId,
        owner: bob,
        decided_at: 1000,
        receipt_expires_at: 1000 + 691_200_000,
      },
    ])
  })

  it("have the jobs that they finish, and the keys that they claim with the customer of a record of their own", () => {
    const record = { kind: "Customer", id: ann } as const
    const first = encoded({ finishes: [{ id: "Job:1", attempt: 3 }] })
    const second = encoded({
      inserts: [customer(1)],
      claims: [
        { scope: "platform", key: "k", record },
        { scope: "global", key: "g", record: { kind: "Customer", id: bob } },
      ],
    })
    const rows = rowsOf(addSets, first, second)
    expect(rows.of("finished")).toEqual([{ set_number: 1, id: "Job:1", attempt: 3 }])
    expect(rows.of("claim")).toEqual([
      { set_number: 2, key: "k", scope: alphaId, kind: "Customer", id: ann, customer: ann },
      { set_number: 2, key: "g", scope: "", kind: "Customer", id: bob, customer: null },
    ])
  })
})

describe("the jobs of a batch", () => {
  const opened = (...sets: Sets) =>
    rowsOf(addJobs, ...sets)
      .of("job")
      .map((row) => Object(row))
      .map(({ is_first, opens_lane }) => [is_first, opens_lane])

  it("have all their properties, with null and false for those that they lack", () => {
    const full = job(1, { lane: "l", laneHoldMillis: 9, dueAt: 6, opensLane: true, queue: "webhook", customerId: bob })
    const bare = job(2, { customerId: null })
    expect(rowsOf(addJobs, encoded(), encoded({ jobs: [full, bare] })).of("job")).toEqual([
      {
        set_number: 2,
        id: full.id,
        queue: "webhook",
        kind: "test",
        customer: bob,
        lane: "l",
        lane_hold_millis: 9,
        due_at: 6,
        payload: '{"n":1}',
        opens_lane: true,
        is_first: true,
      },
      {
        set_number: 2,
        id: bare.id,
        queue: "work",
        kind: "test",
        customer: null,
        lane: null,
        lane_hold_millis: null,
        due_at: 0,
        payload: '{"n":2}',
        opens_lane: false,
        is_first: true,
      },
    ])
  })

  it("are the first of their lane once, over all sets, for each queue and platform", () => {
    const inLane = (n: number, lane?: string, queue: "work" | "webhook" = "work") =>
      job(n, { queue, ...(lane === undefined ? {} : { lane }) })
    const jobs = [inLane(1, "l"), inLane(2, "l"), inLane(3, "m"), inLane(4, "l", "webhook"), inLane(5), inLane(6)]
    expect(
      opened(
        encoded({ jobs }),
        encoded({ jobs: [inLane(7, "l"), inLane(8, "null")] }),
        encoded({ jobs: [inLane(9, "l")] }, beta),
      ),
    ).toEqual([true, false, true, true, true, true, false, true, true].map((isFirst) => [isFirst, false]))
  })
})

describe("the messages of a batch", () => {
  const shown = { body: { n: null }, placeholders: [{ path: ["n"], counter: "k" }] }
  const counters = [{ key: "k", delta: 1 }]
  const names = JSON.stringify({ balances: [], counters: ["k"] })

  it("are events with the names of their sums, attempts, and a response or else a receipt", () => {
    const rows = rowsOf(
      addMessages,
      encoded({ counters, events: [newEvent(1, { data: shown }), newEvent(2, { customerId: null })] }),
      encoded({
        attempts: [{ eventId: "Webhook:1", attempt }],
        counters,
        replay: replayRecord("a", { answer: shown }),
      }),
      encoded({ replay: replayRecord("b", { status: 204 }) }),
    )
    const [first, second] = [newEvent(1), newEvent(2, { customerId: null })]
    expect(rows.of("event")).toEqual([
      {
        set_number: 1,
        id: first.id,
        type: "TEST",
        customer: ann,
        subject: ann,
        data: encodeTemplate({ body: shown.body, placeholders: shown.placeholders }),
        shown: names,
      },
      {
        set_number: 1,
        id: second.id,
        type: "TEST",
        customer: null,
        subject: ann,
        data: encodeTemplate({ body: { n: 2 }, placeholders: [] }),
        shown: null,
      },
    ])
    expect(rows.of("attempt")).toEqual([{ set_number: 2, event: "Webhook:1", data: JSON.stringify(attempt) }])
    expect(rows.of("receipt")).toEqual([{ set_number: 1 }])
    expect(rows.of("replay")).toEqual([
      {
        set_number: 2,
        key: "a",
        fingerprint: "fingerprint",
        status: 201,
        answer: encodeTemplate({ body: shown.body, placeholders: shown.placeholders }),
        expires_at: 100_000,
        shown: names,
      },
      {
        set_number: 3,
        key: "b",
        fingerprint: "fingerprint",
        status: 204,
        answer: encodeTemplate({ body: { key: "b" }, placeholders: [] }),
        expires_at: 100_000,
        shown: null,
      },
    ])
  })
})
