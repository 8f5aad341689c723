/** What each answer of a server of ports means for its operator, and what to do about it. */
import { describe, expect, it } from "vitest"
import { Lost } from "../../../packages/ports-http/src/call/Exchange.ts"
import {
  answerFinding,
  clockFinding,
  type Described,
  lostFinding,
  operationsFinding,
  strangerFinding,
} from "../../../packages/ports-http/src/call/PortServerFindings.ts"

const sentAt = Date.parse("2026-03-04T09:00:00Z") / 1000
const answered = (result: unknown, more: Partial<Described> = {}): Described => ({
  status: 200,
  signature: "v1,x",
  date: "Wed, 04 Mar 2026 09:00:00 GMT",
  body: new TextEncoder().encode(JSON.stringify({ result })),
  sentAt,
  isSigned: true,
  ...more,
})
const paths = ["/rails/push", "/rails/pull"]
const known = { operations: paths }
const secretFix = "give both sides the same secret, and let the server sign what the guide for ports over HTTP shows"

describe("an answer", () => {
  it.each<readonly [string, Described, object]>([
    ["as it should be", answered(known), { status: "ok", text: "the server answers, with valid signatures both ways" }],
    [
      "of a system that says it is no test",
      answered({ ...known, isTest: false }),
      { status: "ok", text: "the server answers, with valid signatures both ways" },
    ],
    [
      "of a test system",
      answered({ ...known, isTest: true }),
      { status: "warning", text: "a test system answers: no real money moves", fix: "name your bank's server" },
    ],
    [
      "that refuses our signature",
      answered(known, { status: 401, isSigned: false }),
      { status: "problem", text: "the server refuses our signature", fix: secretFix },
    ],
    [
      "that knows no such question",
      answered(known, { status: 404, isSigned: false }),
      {
        status: "warning",
        text: "the server answers, but does not say which operations it knows",
        fix: "answer /port-server/describe",
      },
    ],
    [
      "with an error",
      answered(known, { status: 503 }),
      { status: "problem", text: "the server answers with 503", fix: "read its log" },
    ],
    [
      "without a valid signature",
      answered(known, { isSigned: false }),
      { status: "problem", text: "the signature of the answer is not valid", fix: secretFix },
    ],
    [
      "of another operation",
      answered("all"),
      {
        status: "problem",
        text: "the answer to /port-server/describe is not one of this operation",
        fix: "see docs/ports.md",
      },
    ],
  ])("%s has its finding", (_, answer, finding) => {
    expect(answerFinding(answer)).toEqual(finding)
  })
})

describe("a clock", () => {
  const at = (seconds: number) => clockFinding(answered(known, { sentAt: sentAt - seconds }))
  const same = { status: "ok", text: "the server's clock is that of this machine" }
  const fix = "synchronize both with NTP: signatures are refused five minutes from now"

  it("may differ by a minute", () => {
    expect([at(0), at(60), at(-60), at(60.4)]).toEqual([same, same, same, same])
    expect([at(61), at(-61), at(60.6)]).toEqual(
      [61, -61, 61].map((skew) => ({
        status: "problem",
        text: `the server's clock differs by ${skew} s from this machine's`,
        fix,
      })),
    )
  })

  it("is not known without a date", () => {
    for (const date of [undefined, "", "soon"]) {
      expect(clockFinding(answered(known, { date }))).toEqual({
        status: "ok",
        text: "the server does not say its time",
      })
    }
  })
})

it("the signature of a stranger is refused, or the operator learns what the server did", () => {
  const of = (status: number) => strangerFinding(answered(known, { status }))
  const refused = { status: "ok", text: "the server refuses the signature of a stranger" }
  const fix = "verify the signature before anything else, and answer 401 if it is not valid"
  const text = (status: number) => `the server answers the signature of a stranger with ${status}`
  expect([of(401), of(403), of(200), of(400)]).toEqual([
    refused,
    refused,
    { status: "problem", text: text(200), fix },
    { status: "warning", text: text(400), fix },
  ])
})

it("a lost answer says why", () => {
  expect(lostFinding(new Lost({ reason: "the connection was refused" }))).toEqual({
    status: "problem",
    text: "the server does not answer: the connection was refused",
    fix: "start it, and check its address",
  })
})

describe("the operations of a port", () => {
  const notKnown = { status: "warning", text: "not known: the server does not say which operations it has" }
  it("are known, in part, or not", () => {
    const find = operationsFinding(paths)
    expect(find(answered(known))).toEqual({ status: "ok", text: "the server knows all operations" })
    expect(operationsFinding(["/rails/push"])(answered(known))).toEqual({
      status: "ok",
      text: "the server knows its operation",
    })
    expect(operationsFinding([...paths, "/rails/cancel", "/rails/refund"])(answered(known))).toEqual({
      status: "warning",
      text: "the server does not know /rails/cancel, /rails/refund",
      fix: "answer them: until then whatever needs them fails with 503",
    })
    expect([find(answered("all")), find(answered(known, { status: 404 }))]).toEqual([notKnown, notKnown])
  })
})
