/** Jobs that open their lane: those of a record that the same change set inserts. Source: D-283. */

import { expect, it } from "vitest"
import * as Changes from "../../../packages/core/src/store/Changes.ts"
import { customer, customerUpdate, id, job } from "../../../packages/test/src/conformance/Examples.ts"

const customerId = id("Customer", 1)
const opensLaneOf = (lane: string | undefined) => {
  const { jobs } = Changes.toChangeSet(
    { inserts: [customer(1)], jobs: [lane === undefined ? job(1) : job(1, { lane })] },
    { operationId: "operation", at: 0 },
  )
  return jobs.map(({ opensLane }) => opensLane)
}

it.each([
  ["of the inserted record opens", `verify:${customerId}`, true],
  ["of another record does not open", `verify:${id("Customer", 2)}`, undefined],
  ["with an id that only ends like the inserted one does not open", `verify:X${customerId}`, undefined],
  ["with text after the id of the record does not open", `${customerId}:verify`, undefined],
  ["that is missing does not open", undefined, undefined],
])("a lane %s", (_, lane, expected) => {
  expect(opensLaneOf(lane)).toEqual([expected])
})

it("a lane of an updated record does not open", () => {
  const { jobs } = Changes.toChangeSet(
    { updates: [customerUpdate(1, 1)], jobs: [job(1, { lane: `verify:${customerId}` })] },
    { operationId: "operation", at: 0 },
  )
  expect(jobs.map(({ opensLane }) => opensLane)).toEqual([undefined])
})
