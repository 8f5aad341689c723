/** Why a request to a bucket failed, and which options name a bucket. Source: D-420. */
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { codeOf, connectionCode, isTransient, S3Failure } from "../../../packages/adapter-s3/src/S3Failure.ts"
import {
  bucketUrl,
  isBucket,
  isEndpoint,
  isPrefix,
  isRegion,
  problemOf,
} from "../../../packages/adapter-s3/src/S3Options.ts"

const withCode = (code: unknown) => Object.assign(new Error("secret"), { code })

describe("a failure", () => {
  it("has the status and the code, each only if there is one", () => {
    const messages = [{}, { code: "SlowDown" }, { status: 503 }, { status: 503, code: "SlowDown" }].map(
      (known) => new S3Failure({ method: "PUT", ...known }).message,
    )
    expect(messages).toEqual([
      "PUT was not answered: no code",
      "PUT was not answered: SlowDown",
      "PUT was answered with 503: no code",
      "PUT was answered with 503: SlowDown",
    ])
  })

  it.each([
    [undefined, undefined, true],
    ...[408, 429, 500, 502, 503, 504].map((status) => [status, undefined, true] as const),
    ...[400, 403, 404, 409, 501, 505].map((status) => [status, undefined, false] as const),
    [400, "RequestTimeout", true],
    [409, "InternalError", true],
    [400, "InvalidRequest", false],
  ] as const)("with the status %s and the code %s may pass: %s", (status, code, may) => {
    const known = { ...(status === undefined ? {} : { status }), ...(code === undefined ? {} : { code }) }
    expect(isTransient(new S3Failure({ method: "PUT", ...known }))).toBe(may)
  })

  it.each([
    ["of its cause", Object.assign(new Error("fetch failed"), { cause: withCode("ECONNRESET") }), "ECONNRESET"],
    ["of its own", withCode("ETIMEDOUT"), "ETIMEDOUT"],
    ["of an object", { code: "A.b-c_1" }, "A.b-c_1"],
    ["of one letter", { code: "A" }, "A"],
    ["that begins with a digit", withCode("1A"), "Error"],
    ["with a text after it", withCode("ECONNRESET at secret"), "Error"],
    ["with a text before it", withCode("at secret ECONNRESET"), "Error"],
    ["of 62 characters", withCode(`E${"x".repeat(61)}`), "Error"],
    ["of 61 characters", withCode(`E${"x".repeat(60)}`), `E${"x".repeat(60)}`],
    ["that is absent, of a kind of its own", new TypeError("secret"), "TypeError"],
    ["that is absent, of no error", { message: "secret" }, "unknown"],
    ["of nothing", null, "unknown"],
    ["of a text", "ECONNRESET", "unknown"],
  ])("has the code %s", (_, error, code) => expect(connectionCode(error)).toBe(code))

  it.each([
    ["<Error><Code>NoSuchKey</Code></Error>", "NoSuchKey"],
    ["<?xml version='1.0'?>\n<Error>\n<Message>m</Message><Code>A</Code>\n<Code>B</Code></Error>", "A"],
    ["<Code>NoSuchKey</Code>", undefined],
    ["<Error><Code>a secret text</Code></Error>", undefined],
    ["<Error><Code></Code></Error>", undefined],
    ["", undefined],
  ])("has the code of the document %j: %s", (document, code) => expect(codeOf(document)).toBe(code))
})

describe("the options of a bucket", () => {
  const table: ReadonlyArray<
    readonly [string, (text: string) => boolean, ReadonlyArray<string>, ReadonlyArray<string>]
  > = [
    [
      "endpoint",
      isEndpoint,
      ["https://s3.example.com", "http://127.0.0.1:9000/storage/"],
      [
        "s3.example.com",
        "ftp://s3.example.com",
        "xhttps://a.example",
        "https://u@a.example",
        "https://:p@a.example",
        "https://a.example/?q",
        "https://a.example/#f",
        "",
      ],
    ],
    [
      "bucket",
      isBucket,
      ["abc", "a.b-c", "0a9", "a".repeat(63)],
      ["ab", "a".repeat(64), "-ab", "ab-", "Abc", "a_b", "a/b"],
    ],
    ["prefix", isPrefix, ["", "a", "a/", "a/b.c/d", "-a", "_a/"], ["/", "/a", "a//b", ".a", "a/.b", "a b/", "a?"]],
    ["region", isRegion, ["us-east-1", "auto", "A_1"], ["", "us east", "us/east", "us.east", " a", "a\n"]],
  ]
  it.each(table)("have an %s that can be used", (_, isUsable, right, wrong) => {
    expect(right.filter((text) => !isUsable(text))).toEqual([])
    expect(wrong.filter(isUsable)).toEqual([])
  })

  const credentials = { accessKeyId: "key", secretAccessKey: Redacted.make("secret") }
  const right = { endpoint: "https://s3.example.com", bucket: "papers", region: "auto", credentials }

  it("name what is wrong with them", () => {
    expect(problemOf(right)).toBeUndefined()
    expect(
      [{ endpoint: "s3" }, { bucket: "A" }, { prefix: "/" }, { region: "" }].map((wrong) =>
        problemOf({ ...right, ...wrong }),
      ),
    ).toEqual([
      "`endpoint` must be an http or https address without credentials, query and fragment.",
      "`bucket` must have 3 to 63 lower-case letters, digits, dots and hyphens.",
      "`prefix` must consist of letters, digits, dots, hyphens, underscores and slashes between them.",
      "`region` must consist of letters, digits and hyphens.",
    ])
  })

  it.each([
    ["https://s3.example.com", undefined, "https://s3.example.com/papers"],
    ["http://127.0.0.1:9000/storage//", "path", "http://127.0.0.1:9000/storage/papers"],
    ["https://s3.example.com:444/", "host", "https://papers.s3.example.com:444"],
    ["https://s3.example.com/storage/", "host", "https://papers.s3.example.com/storage"],
  ] as const)("at %s give the bucket an address by %s: %s", (endpoint, addressing, address) => {
    expect(bucketUrl({ ...right, endpoint, ...(addressing === undefined ? {} : { addressing }) })).toBe(address)
  })
})
