/** Tapes of kept requests: what each step sends, refers to and leaves open, and the time between them. Source: D-479. */
import { maskedText, type TapeCall } from "@countersign/client/tape"
import type { RequestHistory } from "@countersign/core"
import type { RequestCommit } from "@countersign/core/models"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { isMarker, journalCall, markerParts } from "../../../packages/adapter-http/src/tape/JournalCall.ts"
import { journalTape } from "../../../packages/adapter-http/src/tape/JournalTape.ts"
import { journalVariables } from "../../../packages/adapter-http/src/tape/JournalVariables.ts"
import { programOf } from "../../../packages/adapter-http/src/tape/RequestProgram.ts"
import { body, digest, history, kept, noon, type Sample, secondsAfter, uuid } from "./KeptRequests.ts"

const customer = `Customer:${uuid(1)}`
const created: Sample = { method: "POST", path: "/customers", status: 201, responseBody: body({ id: customer }) }

const commit = (changes: Partial<RequestCommit>): RequestCommit => ({
  operation: "Any.one",
  records: [],
  transfers: [],
  events: [],
  jobs: [],
  omitted: 0,
  ...changes,
})

const tapeOf = (...samples: ReadonlyArray<Sample>) => journalTape(history(...samples))
const callsOf = ({ tape }: ReturnType<typeof journalTape>): ReadonlyArray<TapeCall> =>
  tape.steps.flatMap((step) => (step._tag === "Call" ? [step] : []))
const lastOf = (...samples: ReadonlyArray<Sample>): TapeCall => {
  const call = callsOf(tapeOf(...samples)).at(-1)
  if (call === undefined) throw new Error("no call")
  return call
}

describe("a kept request as a recorder would have seen it", () => {
  it("has its method, path, headers and bodies", () => {
    const { answer, gap, request } = journalCall(
      kept(1, {
        method: "POST",
        path: "/a/b?c=d",
        requestHeaders: { "x-one": "1" },
        requestBody: body({ a: [1, "two", null] }),
        status: 201,
        responseBody: body({ b: true }),
      }),
    )
    expect({ ...request, headers: [...request.headers] }).toEqual({
      method: "POST",
      path: "/a/b?c=d",
      isOutside: false,
      headers: [["x-one", "1"]],
      content: { body: { a: [1, "two", null] } },
    })
    expect([answer, gap]).toEqual([{ status: 201, body: { b: true } }, undefined])
    expect(journalCall(kept(1))).toMatchObject({ answer: { status: 200 }, request: { content: {} } })
    expect(journalCall(kept(1)).answer).toEqual({ status: 200 })
  })

  it("has markers in place of masks, each with its place and the digest of its text", () => {
    const { answer, request } = journalCall(
      kept(1, {
        path: `/codes/${maskedText}/redeem/${maskedText}?name=${maskedText}&flag&limit=2`,
        requestHeaders: { "x-secret": maskedText },
        requestBody: body({ deep: [{ code: maskedText }, `Bearer ${maskedText}`] }),
        responseBody: body({ token: maskedText }),
        notSendable: { reason: "MASKED", message: "", members: ["body.deep.0.code", "path.code"] },
        digests: {
          sent: { "path.code": "P", "query.name": "Q", "header.x-secret": "H", "body.deep.0.code": "B" },
          received: { "body.token": "R" },
        },
      }),
    )
    const [path = "", query = ""] = request.path.split("?")
    const segments = path.split("/").map((segment) => decodeURIComponent(segment))
    const [first = "", flag, limit] = query.split("&")
    expect(segments.filter((segment) => !isMarker(segment))).toEqual(["", "codes", "redeem"])
    expect(segments.filter(isMarker).map(markerParts)).toEqual([
      { digest: "P", at: "path.code" },
      { digest: "", at: "path" },
    ])
    expect(first.startsWith("name=")).toBe(true)
    expect(markerParts(decodeURIComponent(first.slice("name=".length)))).toEqual({ digest: "Q", at: "query.name" })
    expect([flag, limit]).toEqual(["flag", "limit=2"])
    const header = decodeURIComponent(request.headers.get("x-secret") ?? "")
    expect(markerParts(header)).toEqual({ digest: "H", at: "header.x-secret" })
    const texts = JSON.stringify(request.content.body) + JSON.stringify(answer.body)
    expect(texts).not.toContain(maskedText)
    const marked = (at: string, known: string) => `\u0001${known}\u0001${at}`
    expect(request.content.body).toEqual({
      deep: [{ code: marked("body.deep.0.code", "B") }, marked("body.deep.1", "")],
    })
    expect(answer.body).toEqual({ token: marked("body.token", "R") })
  })

  it("does not know a body that was not kept, or not as a whole", () => {
    const answerOf = (changes: Partial<ReturnType<typeof body>>) =>
      journalCall(kept(1, { responseBody: body({ a: 1 }, changes) })).answer
    const { text: _, ...withoutText } = body({ a: 1 })
    expect(answerOf({ isCut: true })).toEqual({ status: 200, isBodyUnknown: true })
    expect(answerOf({ text: "<html>" })).toEqual({ status: 200, isBodyUnknown: true })
    expect(journalCall(kept(1, { responseBody: withoutText })).answer).toEqual({ status: 200, isBodyUnknown: true })
  })

  const { text: _, ...bytesOnly } = body({ a: 1 })
  const gaps: ReadonlyArray<readonly [string, Sample, string | undefined]> = [
    [
      "an upload",
      { notSendable: { reason: "UPLOAD", message: "", members: [] } },
      "createIt uploaded a file, which the journal does not keep",
    ],
    ["a stream", { notSendable: { reason: "STREAM", message: "", members: [] } }, "createIt opened a stream"],
    ["a body without its text", { requestBody: bytesOnly }, "the journal has not kept the whole body of createIt"],
    [
      "a body that was cut",
      { requestBody: body({}, { isCut: true }) },
      "the journal has not kept the whole body of createIt",
    ],
    [
      "a request that was cut",
      { notSendable: { reason: "CUT", message: "", members: [] } },
      "the journal has not kept the whole request of createIt",
    ],
    ["masks", { notSendable: { reason: "MASKED", message: "", members: [] } }, undefined],
    ["a whole body", { requestBody: body({}) }, undefined],
  ]
  it.each(gaps)("with %s can be repeated or not", (_, sample, gap) => {
    expect(journalCall(kept(1, { operation: "createIt", ...sample })).gap).toBe(gap)
    const { gaps: all, tape } = tapeOf({ operation: "createIt", ...sample })
    expect([all, tape.steps[0]?._tag]).toEqual([gap === undefined ? [] : [gap], gap === undefined ? "Call" : "Gap"])
  })
})

describe("a value that an earlier answer contained", () => {
  it("is referred to in the path, the query, a header and the body", () => {
    const call = lastOf(created, {
      method: "POST",
      path: `/customers/${encodeURIComponent(customer)}/notes?of=${customer}&exact&plain=a+b`,
      requestHeaders: { "x-customer": customer, "x-plain": "yes" },
      requestBody: body({ customerId: customer, note: "{{literal}}" }),
    })
    expect(call).toMatchObject({
      path: "/customers/{{0:id}}/notes?of={{0:id}}&exact&plain=a+b",
      headers: { "x-customer": "{{0:id}}", "x-plain": "yes" },
      body: { customerId: "{{0:id}}", note: "{{braces}}literal}}" },
    })
  })

  it("is that of the first answer, and the steps are numbered without those that are not needed", () => {
    const { forgotten, requests, tape } = tapeOf(
      {},
      created,
      { path: `/customers/${customer}`, responseBody: body({ id: customer }) },
      {
        path: `/customers/${customer}`,
      },
    )
    expect(requests).toEqual(["Request:2", "Request:4"])
    expect(tape).toEqual({
      format: "countersign tape 1",
      steps: [
        {
          _tag: "Call",
          method: "POST",
          path: "/customers",
          as: "platform",
          headers: {},
          answer: { status: 201, body: { id: customer } },
        },
        {
          _tag: "Call",
          method: "GET",
          path: "/customers/{{0:id}}",
          as: "platform",
          headers: {},
          answer: { status: 200 },
        },
      ],
    })
    expect(forgotten).toBe(0)
  })

  it("counts as generated by its name or by a digit, with six characters at least, and not where it was sent before", () => {
    const refersTo = (value: unknown, text: string) =>
      lastOf({ ...created, responseBody: body(value) }, { method: "POST", requestBody: body({ text }) }).body
    expect(refersTo({ accessToken: "abcdef" }, "abcdef")).toEqual({ text: "{{0:accessToken}}" })
    expect(refersTo({ code: "abcdef" }, "abcdef")).toEqual({ text: "{{0:code}}" })
    expect(refersTo({ deep: { id: "abcdef" } }, "abcdef")).toEqual({ text: "{{0:deep.id}}" })
    expect(refersTo({ name: "abcde1" }, "abcde1")).toEqual({ text: "{{0:name}}" })
    expect(refersTo({ name: "abcdef" }, "abcdef")).toEqual({ text: "abcdef" })
    expect(refersTo({ codes: "abcdef" }, "abcdef")).toEqual({ text: "abcdef" })
    expect(refersTo({ code: "abc12" }, "abc12")).toEqual({ text: "abc12" })
    const sent = { ...created, requestBody: body({ name: "abcde1" }), responseBody: body({ name: "abcde1" }) }
    expect(lastOf(sent, { method: "POST", requestBody: body({ text: "abcde1" }) }).body).toEqual({ text: "abcde1" })
  })

  it("is not that of a refusal, but for a text with a digit", () => {
    const refused = { ...created, status: 400, responseBody: body({ code: "INVALID_INPUT", trace: "abcde1" }) }
    const call = lastOf(refused, { method: "POST", requestBody: body({ a: "INVALID_INPUT", b: "abcde1" }) })
    expect(call.body).toEqual({ a: "INVALID_INPUT", b: "{{0:trace}}" })
  })

  it("is found by its digest where one side or both are masked", () => {
    const secret = "secret-1"
    const answered = {
      ...created,
      responseBody: body({ code: maskedText }),
      digests: { received: { "body.code": digest(secret) } },
    }
    expect(lastOf(answered, { path: `/codes/${secret}` }).path).toBe("/codes/{{0:code}}")
    const masked: Sample = {
      path: `/codes/${maskedText}`,
      notSendable: { reason: "MASKED", message: "", members: ["path.code"] },
      digests: { sent: { "path.code": digest(secret) } },
    }
    expect(lastOf(answered, masked).path).toBe("/codes/{{0:code}}")
    expect(lastOf({ ...created, responseBody: body({ code: secret }) }, masked).path).toBe("/codes/{{0:code}}")
    // The tape shows the mask again, and no marker.
    expect(callsOf(tapeOf(answered, masked))[0]?.answer.body).toEqual({ code: maskedText })
  })
})

it("a short text, a time or a sentence is not taken for what a mask hides", () => {
  for (const text of ["ab12", secondsAfter(1), "a text 12"]) {
    const masked: Sample = {
      ...created,
      responseBody: body({ code: maskedText }),
      digests: { received: { "body.code": digest(text) } },
    }
    expect(lastOf(masked, { method: "POST", requestBody: body({ text }) }).body).toEqual({ text })
  }
})

describe("a value that no kept answer contained", () => {
  it("is a variable where it is masked, the same for the same text", () => {
    const masked = (at: string, known?: string): Sample => ({
      method: "POST",
      requestBody: body({ deviceCode: maskedText, other: maskedText }),
      digests: { sent: known === undefined ? {} : { "body.deviceCode": known, "body.other": known } },
      path: at,
    })
    const { variables } = tapeOf(masked("/a", "D"))
    expect(variables).toEqual([
      {
        name: "DEVICE_CODE_1",
        reason: "MASKED",
        description: "`body.deviceCode`, which the journal has masked and no kept answer contained",
      },
    ])
    expect(lastOf(masked("/a", "D")).body).toEqual({
      deviceCode: "{{env:DEVICE_CODE_1}}",
      other: "{{env:DEVICE_CODE_1}}",
    })
    expect(lastOf(masked("/a")).body).toEqual({ deviceCode: "{{env:DEVICE_CODE_1}}", other: "{{env:OTHER_1}}" })
  })

  it("is a variable where it is an identifier, but not as an idempotency key", () => {
    const sample = { method: "POST", path: `/customers/${customer}`, requestHeaders: { "idempotency-key": customer } }
    expect(lastOf(sample)).toMatchObject({
      path: "/customers/{{env:CUSTOMER_ID_1}}",
      headers: { "idempotency-key": customer },
    })
    expect(tapeOf(sample).variables).toEqual([
      {
        name: "CUSTOMER_ID_1",
        reason: "NOT_ANSWERED",
        description: `${customer}, which no kept answer contained before`,
      },
    ])
    expect(lastOf({ path: `/customers/${customer}x` }).path).toBe(`/customers/${customer}x`)
    expect(lastOf({ path: "/%E0%A4%A" }).path).toBe("/%E0%A4%A")
  })

  it("lists no variable that only a request has which is not needed", () => {
    expect(tapeOf({ path: `/customers/${customer}` }, { path: "/other" }).variables).toEqual([])
  })
})

describe("the sender of a request", () => {
  const agent = `Agent:${uuid(2)}`
  const ofAgent: Sample = { caller: { kind: "AGENT", id: agent }, digests: { credential: digest("token-1") } }
  const ofToken: Sample = {
    caller: { kind: "API_TOKEN", id: "ApiToken:other" },
    digests: { credential: digest("secret-1") },
  }

  it.each<readonly [string, Sample, unknown]>([
    ["nobody", { caller: { kind: "NOBODY" } }, "nobody"],
    ["a person on the console", { caller: { kind: "APPROVER", id: "x" } }, "platform"],
    ["the platform's own token", {}, "platform"],
    ["an agent whose token no answer contained", ofAgent, { variable: "AUTHORIZATION_1" }],
    ["a token whose secret no answer contained", ofToken, { variable: "AUTHORIZATION_1" }],
  ])("is %s", (_, sample, as) => expect(lastOf(sample).as).toEqual(as))

  it("is described where it is a variable", () => {
    const descriptionOf = (sample: Sample) =>
      tapeOf(sample).variables.map(({ description, reason }) => [reason, description])
    expect(descriptionOf(ofAgent)).toEqual([["CREDENTIALS", `the Authorization header of the agent ${agent}`]])
    expect(descriptionOf(ofToken)).toEqual([
      ["CREDENTIALS", "the Authorization header of the API token ApiToken:other"],
    ])
  })

  it("has the credentials of an earlier answer", () => {
    const redeemed: Sample = {
      ...created,
      responseBody: body({ accessToken: maskedText }),
      digests: { received: { "body.accessToken": digest("token-1") } },
    }
    expect(lastOf(redeemed, ofAgent).as).toEqual({ token: "{{0:accessToken}}" })
    const issued: Sample = {
      ...created,
      responseBody: body({ token: { clientId: "client-1", clientSecret: maskedText } }),
      digests: { received: { "body.token.clientSecret": digest("secret-1") } },
    }
    expect(lastOf(issued, ofToken).as).toEqual({
      clientId: "{{0:token.clientId}}",
      clientSecret: "{{0:token.clientSecret}}",
    })
    const withoutId = { ...issued, responseBody: body({ token: { clientSecret: maskedText } }) }
    expect(lastOf(withoutId, ofToken).as).toEqual({ variable: "AUTHORIZATION_1" })
    const elsewhere: Sample = {
      ...created,
      responseBody: body({ secret: maskedText }),
      digests: { received: { "body.secret": digest("secret-1") } },
    }
    expect(lastOf(elsewhere, ofToken).as).toEqual({ variable: "AUTHORIZATION_1" })
  })

  it("is that of the first request, where one was sent again", () => {
    const redeemed: Sample = {
      ...created,
      responseBody: body({ accessToken: maskedText }),
      digests: { received: { "body.accessToken": digest("token-1") } },
    }
    const again: Sample = { ...ofAgent, digests: {}, sentAgainFrom: "Request:2" }
    expect(lastOf(redeemed, ofAgent, again).as).toEqual({ token: "{{0:accessToken}}" })
    expect(lastOf(redeemed, ofAgent, { ...again, sentAgainFrom: "Request:none" }).as).toEqual({
      variable: "AUTHORIZATION_1",
    })
  })
})

describe("the time between two requests", () => {
  const later = (seconds: number, changes: Sample = {}): Sample => ({
    path: `/customers/${customer}`,
    at: secondsAfter(seconds),
    ...changes,
  })
  const stepsOf = (...samples: ReadonlyArray<Sample>) =>
    tapeOf(...samples).tape.steps.map((step) => (step._tag === "Advance" ? step.millis : step._tag))
  const working = { ...created, commits: [commit({ jobs: [{ id: "j", kind: "account.verify" }] })] }
  const sending = { ...created, commits: [commit({ jobs: [{ id: "j", kind: "webhook.deliver" }] })] }

  it.each<readonly [string, ReadonlyArray<Sample>, ReadonlyArray<unknown>]>([
    ["is waited for from a second on", [created, later(1)], ["Call", 1000, "Call"]],
    ["is left out below", [created, later(0.999)], ["Call", "Call"]],
    ["is counted from the end of the first", [{ ...created, durationMillis: 500 }, later(2)], ["Call", 1500, "Call"]],
    ["lets jobs run that are due", [working, later(0.5)], ["Call", 0, "Call"]],
    ["does not wait for webhooks", [sending, later(0.5)], ["Call", "Call"]],
    ["lets jobs run once", [working, later(0.1), later(0.2, { method: "POST" })], ["Call", 0, "Call"]],
  ])("%s", (_, samples, steps) => expect(stepsOf(...samples)).toEqual(steps))

  it("is that of the clock where a request moved it, by as much as it was moved", () => {
    const moved: Sample = {
      method: "POST",
      path: "/sandbox/clock/advance",
      operation: "sandboxAdvanceClock",
      at: secondsAfter(0),
      requestBody: body({ to: secondsAfter(90) }),
      responseBody: body({ now: secondsAfter(90) }),
    }
    const { tape } = tapeOf(created, moved, later(91))
    expect(tape.steps.map((step) => (step._tag === "Call" ? (step.body ?? step._tag) : step))).toEqual([
      "Call",
      { by: "PT90S" },
      { _tag: "Advance", millis: 1000 },
      "Call",
    ])
    expect(lastOf({ ...moved, requestBody: body({ by: "PT5S" }) }).body).toEqual({ by: "PT5S" })
    expect(lastOf({ ...moved, operation: "any" }).body).toEqual({ to: secondsAfter(90) })
  })
})

it("a request that replaced the world is a gap", () => {
  const { gaps, tape } = tapeOf(
    created,
    { method: "POST", operation: "sandboxResetWorld", at: noon },
    { path: `/customers/${customer}` },
  )
  expect(gaps).toEqual(["sandboxResetWorld replaced the world by another"])
  expect(tape.steps.map(({ _tag }) => _tag)).toEqual(["Call", "Gap", "Call"])
})

it("a tape says how many requests the journal has forgotten", () => {
  const [entry] = history({}).entries
  const late: RequestHistory = { ...history(), entries: entry === undefined ? [] : [{ ...entry, number: 8 }] }
  expect([journalTape(late).forgotten, journalTape(history()).forgotten]).toEqual([7, 0])
})

describe("a variable", () => {
  const what = { reason: "MASKED", description: "" } as const
  it.each([
    ["deviceCode", "DEVICE_CODE_1"],
    ["x-my.header", "X_MY_HEADER_1"],
    ["0", "VALUE_0_1"],
    ["_a", "VALUE__A_1"],
    ["a".repeat(60), `${"A".repeat(50)}_1`],
  ])("for %s is called %s", (name, expected) => {
    expect(journalVariables().refer("key", name, what)).toBe(`{{env:${expected}}}`)
  })

  it("is counted by its name, and made once for a key", () => {
    const { header, named, refer } = journalVariables()
    expect([refer("a", "code", what), refer("b", "code", what), refer("a", "other", what)]).toEqual([
      "{{env:CODE_1}}",
      "{{env:CODE_2}}",
      "{{env:CODE_1}}",
    ])
    expect([header("a", "of a"), header("a", "of a"), header("b", "of b")]).toEqual([
      "AUTHORIZATION_1",
      "AUTHORIZATION_1",
      "AUTHORIZATION_2",
    ])
    expect([...named.values()].at(-1)).toEqual({ name: "AUTHORIZATION_2", reason: "CREDENTIALS", description: "of b" })
  })
})

describe("a program", () => {
  const run = (entries: RequestHistory, ...form: ReadonlyArray<"CURL" | "SCRIPT" | "TEST">) =>
    Effect.runSync(Effect.result(programOf(entries, ...form)))

  it("has the form that is asked for, and is a test otherwise, named for its request", () => {
    const entries = history(created, { path: `/customers/${customer}?a=1` })
    const programs = [run(entries), run(entries, "TEST"), run(entries, "SCRIPT"), run(entries, "CURL")].map((result) =>
      result._tag === "Success" ? [result.success.form, result.success.program] : [],
    )
    expect(programs.map(([form]) => form)).toEqual(["TEST", "TEST", "SCRIPT", "CURL"])
    expect(programs[0]).toEqual(programs[1])
    expect(programs[0]?.[1]).toContain("GET /customers/Customer:…?a=1 answers 200")
    expect(programs[3]?.[1]).toContain("curl")
    expect(new Set(programs.map(([, program]) => program)).size).toBe(3)
  })

  it("has its tape as JSON, and what the tape needs", () => {
    const result = run(history(created, { path: `/customers/${customer}` }))
    expect(result).toMatchObject({
      success: {
        requestId: "Request:2",
        requests: ["Request:1", "Request:2"],
        variables: [],
        gaps: [],
        forgotten: 0,
        tape: { format: "countersign tape 1" },
      },
    })
  })

  it.each<readonly [string, RequestHistory, string]>([
    [
      "a gap",
      history({ operation: "createIt", notSendable: { reason: "STREAM", message: "", members: [] } }),
      "createIt opened a stream",
    ],
    ["a request that is not kept", history(), "it is not kept"],
  ])("is refused for %s", (_, entries, reason) => {
    expect(run(entries)).toMatchObject({
      failure: {
        code: "CONFLICT",
        message: `No program can repeat this request: ${reason}.`,
        details: { reason: "NOT_REPEATABLE" },
      },
    })
  })

  it("is refused where it would repeat more than 300 requests", () => {
    const chain = (count: number) =>
      history(...Array.from({ length: count }, (): Sample => ({ method: "PATCH", path: "/config" })))
    expect(run(chain(300))._tag).toBe("Success")
    expect(run(chain(301))).toMatchObject({
      failure: {
        code: "CONFLICT",
        message: "The program would repeat 301 requests; at most 300 are possible.",
        details: { reason: "TOO_MANY_REQUESTS", requests: 301, max: 300 },
      },
    })
  })
})
