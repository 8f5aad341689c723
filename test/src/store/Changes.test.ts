/** The parts of a change set: what each adds, and how they are merged. Source: architecture, "A change set is the only way to write". */
import { expect, it } from "vitest"
import type { NewJob, Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import * as Changes from "../../../packages/core/src/store/Changes.ts"
import type { DataOf } from "../../../packages/core/src/store/Kinds.ts"

const owner = { platformId: "Platform:1", customerId: "Customer:1" }
const envelope = { operationId: "Operation:1", at: 5 }

type Account = DataOf<"InternalAccount">
const account = { status: "ACTIVE", currency: "USD", type: "INTERNAL_FIAT" } as Account
const closed: Account = { ...account, status: "CLOSED" }
const stored: Stored<"InternalAccount"> = {
  kind: "InternalAccount",
  id: "InternalAccount:1",
  ...owner,
  version: 3,
  createdAt: 1,
  updatedAt: 2,
  data: account,
}
const claim = {
  scope: "platform",
  key: "internal-account:Customer:1:USD:INTERNAL_FIAT",
  record: { kind: "InternalAccount", id: "InternalAccount:1" },
}

it("an insert has the record with its owner, its keys, and what depends on the customer", () => {
  expect(Changes.insert("InternalAccount", "InternalAccount:1", owner, account)).toEqual({
    inserts: [{ kind: "InternalAccount", id: "InternalAccount:1", ...owner, data: account }],
    claims: [claim],
    counters: [{ key: "attached:Customer:1", customerId: "Customer:1", delta: 1 }],
    transitions: [{ kind: "InternalAccount", field: "status", from: "", to: "ACTIVE" }],
  })
})

it("an update claims only keys that are new and releases only those that are given up", () => {
  expect(Changes.update(stored, closed)).toEqual({
    updates: [{ kind: "InternalAccount", id: "InternalAccount:1", version: 3, data: closed }],
    claims: [],
    releases: [claim],
    counters: [{ key: "attached:Customer:1", customerId: "Customer:1", delta: 1 }],
    transitions: [{ kind: "InternalAccount", field: "status", from: "ACTIVE", to: "CLOSED" }],
  })
  expect(Changes.update({ ...stored, data: closed }, account)).toMatchObject({ claims: [claim], releases: [] })
  expect(Changes.update(stored, account)).toMatchObject({ claims: [], releases: [], counters: [], transitions: [] })
})

it("an update of a record of no customer counts for none", () => {
  expect(Changes.update({ ...stored, customerId: null }, closed).counters).toEqual([])
})

it("an erasure is an update that deletes the earlier versions", () => {
  const { updates, ...others } = Changes.erase(stored, closed)
  const { updates: kept, ...same } = Changes.update(stored, closed)
  expect(others).toEqual(same)
  expect(updates).toEqual([{ ...kept?.[0], erasesHistory: true }])
})

it("a guard has the version that was read", () => {
  expect(Changes.guard(stored)).toEqual({
    guards: [{ kind: "InternalAccount", id: "InternalAccount:1", version: 3 }],
  })
})

it("the answer shows an inserted record as version 1, and an updated one as the next", () => {
  expect(Changes.insertedRecord("InternalAccount", stored.id, owner, account, 9)).toEqual({
    ...stored,
    version: 1,
    createdAt: 9,
    updatedAt: 9,
  })
  expect(Changes.after(stored, closed, 9)).toEqual({ ...stored, data: closed, version: 4, updatedAt: 9 })
})

it("parts are joined list by list, in their order, and absent parts add nothing", () => {
  const first = Changes.insert("InternalAccount", "InternalAccount:1", owner, account)
  const second = Changes.insert("InternalAccount", "InternalAccount:2", owner, { ...account, currency: "EUR" })
  const { counters, guards, inserts } = Changes.combine(first, undefined, Changes.guard(stored), second)
  expect(inserts.map(({ id }) => id)).toEqual(["InternalAccount:1", "InternalAccount:2"])
  expect(guards).toHaveLength(1)
  expect(counters).toHaveLength(2)
})

it("of several ends of validity the earliest applies, and none where no part has one", () => {
  expect(Changes.combine({ validUntil: 30 }, {}, { validUntil: 20 })).toMatchObject({ validUntil: 20 })
  expect(Changes.combine({})).not.toHaveProperty("validUntil")
})

it("guards and observed balances alone write nothing", () => {
  expect(Changes.isEmpty({})).toBe(true)
  expect(Changes.isEmpty(Changes.guard(stored))).toBe(true)
  expect(Changes.isEmpty(Changes.update(stored, account))).toBe(false)
})

it("a change set has its envelope, no facts beside it, and no guard of a record that it writes", () => {
  const other = { ...stored, id: "InternalAccount:2" }
  const changes = Changes.combine(Changes.update(stored, closed), Changes.guard(stored, other, other))
  const set = Changes.toChangeSet(changes, envelope)
  expect(set).toMatchObject(envelope)
  expect(set.guards.map(({ id }) => id)).toEqual(["InternalAccount:2"])
  expect(set).not.toHaveProperty("transitions")
  expect(set).not.toHaveProperty("codeSends")
})

it("a job opens the lane of a record that the same set inserts, and no other", () => {
  const job = (lane: string | undefined): NewJob => ({
    id: `Job:${lane}`,
    queue: "work",
    kind: "AnyJob",
    customerId: null,
    dueAt: 1,
    payload: null,
    ...(lane === undefined ? {} : { lane }),
  })
  const insert = Changes.insert("InternalAccount", "InternalAccount:1", owner, account)
  const jobs = [job("event:InternalAccount:1"), job("event:InternalAccount:2"), job(undefined)]
  const set = Changes.toChangeSet(Changes.combine(insert, { jobs }), envelope)
  expect(set.jobs.map(({ opensLane }) => opensLane)).toEqual([true, undefined, undefined])
})
