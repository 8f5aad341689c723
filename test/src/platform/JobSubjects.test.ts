/** The record that a job works on, by the name of its lane. Source: D-354. */
import { expect, it } from "vitest"
import { jobSubject } from "../../../packages/core/src/decision/platform/JobSubject.ts"

const uuid = "00000000-0000-4000-8000-00000000000a"

it.each([
  [`Quote:${uuid}`, { subject: `Quote:${uuid}` }],
  [`invitation.end:Invitation:${uuid}`, { subject: `Invitation:${uuid}` }],
  [`Quote:${uuid}:more`, {}],
  [`transfer 1 of ${uuid}`, {}],
  [`Quote:${uuid}0`, {}],
  ["rates", {}],
  [undefined, {}],
])("the lane %s names %j", (lane, subject) => {
  expect(jobSubject(lane)).toStrictEqual(subject)
})
