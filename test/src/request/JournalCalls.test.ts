/** A kept request as a recorder would have seen it, with markers in place of masks, or as a gap. Source: D-479. */
import { maskedText } from "@countersign/client/tape"
import { describe, expect, it } from "vitest"
import { isMarker, journalCall, markerParts } from "../../../packages/adapter-http/src/tape/JournalCall.ts"
import { journalTape } from "../../../packages/adapter-http/src/tape/JournalTape.ts"
import { body, history, kept, type Sample } from "./KeptRequests.ts"

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
    const { gaps: all, tape } = journalTape(history({ operation: "createIt", ...sample }))
    expect([all, tape.steps[0]?._tag]).toEqual([gap === undefined ? [] : [gap], gap === undefined ? "Call" : "Gap"])
  })
})
