/** Which jobs open their lane: those of a record that the same set inserts. Source: D-283. */

import { expect, it } from "vitest"
import * as Changes from "../../../packages/core/src/store/Changes.ts"
import { customer, customerUpdate, id, job } from "../../../packages/test/src/conformance/Examples.ts"

const customerId = id("Customer", 1)
const opens = (lane: string | undefined) => {
  const { jobs } = Changes.toChangeSet(
    { inserts: [customer(1)], jobs: [lane === undefined ? job(1) : job(1, { lane })] },
    { operationId: "operation", at: 0 },
  )
  return jobs.map(({ opensLane }) => opensLane)
}

it.each([
  ["of the record that is inserted", `verify:${customerId}`, true],
  ["of another record", `verify:${id("Customer", 2)}`, undefined],
  ["whose record's id only ends like it", `verify:X${customerId}`, undefined],
  ["that goes on behind the record", `${customerId}:verify`, undefined],
  ["that there is not", undefined, undefined],
])("a lane %s", (_, lane, expected) => {
  expect(opens(lane)).toEqual([expected])
})

it("an update opens none", () => {
  const { jobs } = Changes.toChangeSet(
    { updates: [customerUpdate(1, 1)], jobs: [job(1, { lane: `verify:${customerId}` })] },
    { operationId: "operation", at: 0 },
  )
  expect(jobs.map(({ opensLane }) => opensLane)).toEqual([undefined])
})
