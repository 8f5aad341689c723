/** The record that a job works on, from the name of its lane. Source: D-354. */
import { expect, it } from "vitest"
import { jobSubject } from "../../../packages/core/src/decision/platform/JobSubject.ts"

const uuid = "0190c8a0-1234-7abc-8def-0123456789ab"

it.each([
  [`event:Customer:${uuid}`, { subject: `Customer:${uuid}` }],
  [`Transaction:${uuid}`, { subject: `Transaction:${uuid}` }],
  [undefined, {}],
  ["", {}],
  ["event:Customer", {}],
  [`event:${uuid}`, { subject: `event:${uuid}` }],
  [`Customer:${uuid}:more`, {}],
  [`Customer:${uuid.slice(1)}`, {}],
  [`Customer:${uuid.toUpperCase()}`, {}],
])("the lane %j works on %j", (lane, subject) => {
  expect(jobSubject(lane)).toEqual(subject)
})
