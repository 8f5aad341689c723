/** How a body is read, and what is said of one that cannot be read or stored. Source: wire contract 0.2, 11 (54, 58, 59). */
import { JsonLimits, problemList } from "@countersign/core"
import { Effect, Result } from "effect"
import { HttpServerError, HttpServerRequest } from "effect/http"
import { describe, expect, it } from "vitest"
import * as RequestBody from "../../../packages/adapter-http/src/middleware/RequestBody.ts"

const mebibyte = 1_048_576
const quoted = (length: number) => `"${"a".repeat(length - 2)}"`

/** What is read of a request with this body: its text, or the code and the message of the refusal. */
const read = (
  body: NonNullable<ConstructorParameters<typeof Response>[0]>,
  headers: Readonly<Record<string, string>> = {},
) => {
  const web = new Request("http://localhost/", { method: "POST", body, duplex: "half", headers: { ...headers } })
  if (headers["content-type"] === undefined) web.headers.delete("content-type")
  return RequestBody.textOf(HttpServerRequest.fromWeb(web)).pipe(
    Effect.match({
      onSuccess: (text) => ({ text }),
      onFailure: ({ code, message }) => ({ code, message }),
    }),
    Effect.runPromise,
  )
}
const refused = (message: string) => ({ code: "INVALID_REQUEST_FORMAT", message })

describe("the body of a request", () => {
  it.each<readonly [type: string | undefined, encoding: string | undefined]>([
    [undefined, undefined],
    ["application/json", "identity"],
    ["application/json", "IDENTITY"],
    ["Application/JSON", undefined],
    ["application/json; charset=utf-8", undefined],
    ['application/json;a=b;Charset="UTF-8"', undefined],
    ["application/json; a=b", undefined],
  ])("is read as %s, encoded as %s", async (type, encoding) => {
    const headers = {
      ...(type === undefined ? {} : { "content-type": type }),
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    }
    expect(await read('{"a":1}', headers)).toEqual({ text: '{"a":1}' })
  })

  const types = "Content-Type must be application/json."
  const encodings = "Content-Encoding is not supported: send the body as it is."
  it.each<readonly [message: string, headers: Readonly<Record<string, string>>]>([
    [types, { "content-type": "text/plain" }],
    [types, { "content-type": "" }],
    [types, { "content-type": "text/plain; charset=utf-8" }],
    [types, { "content-type": "application/json2" }],
    ["The charset must be utf-8.", { "content-type": "application/json; charset=utf-16" }],
    ["The charset must be utf-8.", { "content-type": "application/json; a=b; charset=" }],
    [encodings, { "content-encoding": "gzip" }],
    [encodings, { "content-encoding": "identity, gzip", "content-type": "application/json" }],
    [encodings, { "content-encoding": "br", "content-type": "text/plain" }],
  ])("is refused with %s for %j", async (message, headers) => {
    expect(await read("{}", headers)).toEqual(refused(message))
  })

  it("that is empty has any type", async () => {
    expect(await read("", { "content-type": "text/plain", "content-encoding": "gzip" })).toEqual({ text: "" })
  })

  it("may have a mebibyte, and no byte more", async () => {
    expect(await read(quoted(mebibyte))).toEqual({ text: quoted(mebibyte) })
    expect(await read(quoted(mebibyte + 1))).toEqual(refused("The body is larger than 1 MiB."))
  })

  it("must be UTF-8, whose byte order mark is left out", async () => {
    expect(await read(Uint8Array.of(0x22, 0xff, 0x22))).toEqual(refused("The body is not valid UTF-8."))
    expect(await read(Uint8Array.of(0xef, 0xbb, 0xbf, 0x22, 0xc3, 0xa9, 0x22))).toEqual({ text: '"é"' })
  })

  it("must arrive whole", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("the connection closed")) })
    expect(await read(broken)).toEqual(refused("The body could not be read to its end."))
  })

  it.each([
    [`The body is nested deeper than ${JsonLimits.depthMax} levels.`, (more: number) => "[".repeat(100 + more)],
    [`The body has more than ${JsonLimits.valuesMax} values.`, (more: number) => `[1${",1".repeat(4998 + more)}]`],
    [
      `A name in the body is longer than ${JsonLimits.nameLengthMax} characters.`,
      (more: number) => `{"${"a".repeat(256 + more)}":1}`,
    ],
  ])("has limits: %s", async (message, bodyWith) => {
    expect(await read(bodyWith(0))).toEqual({ text: bodyWith(0) })
    expect(await read(bodyWith(1))).toEqual(refused(message))
  })
})

describe("the text of a body", () => {
  it.each<readonly [text: string, value: unknown]>([
    ["", {}],
    ["{}", {}],
    ["null", null],
    ["[1]", [1]],
  ])("%j is parsed", (text, value) => {
    expect(RequestBody.parse(text)).toEqual(Result.succeed(value))
  })

  it.each(["{", " ", "{} {}"])("%j is not JSON", (text) => {
    expect(Result.getOrThrow(Result.flip(RequestBody.parse(text)))).toMatchObject(
      refused("The body is not valid JSON."),
    )
  })

  it("ends a turn of the event loop if it is longer than 8192 characters", () => {
    expect(RequestBody.endTurn("a".repeat(8192))).toBe(Effect.void)
    expect(RequestBody.endTurn("a".repeat(8193))).not.toBe(Effect.void)
  })
})

describe("texts that no store keeps", () => {
  const fieldsOf = (text: string) => {
    const list = problemList()
    RequestBody.addNotStorable(list, text)
    return list.bounded().problems
  }

  it.each<readonly [text: string, fields: ReadonlyArray<string>]>([
    ['"\\u0000"', ["body"]],
    ['{"a":"\\u0000"}', ["a"]],
    ['{"a":"\\ud800"}', ["a"]],
    ['{"a":"\\uD8FF"}', ["a"]],
    ['{"a":"\\udfff"}', ["a"]],
    ['{"a":"\\ude00\\ud83d"}', ["a"]],
    ['{"a":[0,{"b":"x\\udb00y"}]}', ["a.1.b"]],
    ['{"b":"\\u0000","a":["\\u0000","x","\\u0000"],"c":1}', ["b", "a.0", "a.2"]],
    ['{"a":{"\\u0000":1}}', ["a"]],
    ['{"\\ud800":1}', ["body"]],
    ['{"a":{"\\ud800":"\\u0000"}}', ["a"]],
    [`{"${"n".repeat(100)}":"\\u0000"}`, ["n".repeat(100)]],
    [`{"a":{"${"n".repeat(101)}":"\\u0000"}}`, [`a.${"n".repeat(100)}…`]],
    ['{"a":null,"b":"\\u0000"}', ["b"]],
    ['{"a":"\\ud83d\\ude00"}', []],
    ['{"a":"\\ud7ff\\ue000\\u0001"}', []],
    ['{"a":"\\\\u0000"}', []],
    ['{"a":', []],
    ['{"a":"\\u0000"', []],
  ])("are found in %s", (text, fields) => {
    const message = "must not contain U+0000 or half of a surrogate pair"
    expect(fieldsOf(text)).toEqual(fields.map((field) => ({ field, message })))
  })
})

describe("a failure of the HTTP layer", () => {
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/"))
  const failed = (reason: HttpServerError.HttpServerError["reason"]) => new HttpServerError.HttpServerError({ reason })

  it("is the request's if the request could not be parsed", () => {
    expect(RequestBody.isRequestFailure(failed(new HttpServerError.RequestParseError({ request })))).toBe(true)
    expect(RequestBody.isRequestFailure(failed(new HttpServerError.RouteNotFound({ request })))).toBe(false)
    expect(RequestBody.isRequestFailure(failed(new HttpServerError.InternalError({ request })))).toBe(false)
    expect(RequestBody.isRequestFailure({ reason: { _tag: "RequestParseError" } })).toBe(false)
  })

  it("is answered as a format that is not valid", () => {
    expect(RequestBody.unreadableRequest).toEqual(refused("The request could not be read."))
  })
})
