/** What a tape takes of a request, and what it records in place of values that are valid once. Source: D-449. */
import { SandboxSignatures } from "@countersign/core/sandbox"
import { describe, expect, it } from "vitest"
import { formEntry } from "../../../packages/client/src/tape/FormEntry.ts"
import { bindOneOff } from "../../../packages/client/src/tape/OneOff.ts"
import {
  contentOf,
  parseJson,
  type RecordedContent,
  type RecordedRequest,
  recordedHeaders,
} from "../../../packages/client/src/tape/RecordedRequest.ts"
import type { Json, TapeStep } from "../../../packages/client/src/tape/Tape.ts"

const requestOf = (more: Partial<RecordedRequest> = {}): RecordedRequest => ({
  method: "POST",
  path: "/config",
  isOutside: false,
  headers: new Headers(),
  content: {},
  ...more,
})

describe("the content of a request", () => {
  const read = (body: string, type?: string) => {
    const request = new Request("http://localhost/", { method: "POST", body })
    if (type === undefined) request.headers.delete("content-type")
    else request.headers.set("content-type", type)
    return contentOf(request)
  }

  it.each<readonly [body: string, type: string | undefined, content: RecordedContent]>([
    ['{"a":1}', "application/json", { body: { a: 1 } }],
    ['{"a":1}', "APPLICATION/JSON; charset=utf-8", { body: { a: 1 } }],
    ["null", "application/json", { body: null }],
    ["{ no JSON", "application/json", { text: "{ no JSON" }],
    ['{"a":1}', "text/plain", { text: '{"a":1}' }],
    ['{"a":1}', undefined, { text: '{"a":1}' }],
    ["", "application/json", {}],
    ["", undefined, {}],
    ["no form", "multipart/form-data; boundary=x", { text: "no form" }],
  ])("%j of the type %s is %j", async (body, type, content) => {
    expect(await read(body, type)).toEqual(content)
  })

  it("that is a form has its parts, and a form can be made of them", async () => {
    const form = new FormData()
    form.append("a", "b")
    form.append("file", new File([new Uint8Array([0, 255, 97])], "x.bin", { type: "a/b" }))
    const { form: parts = [] } = await contentOf(new Request("http://localhost/", { method: "POST", body: form }))
    expect(parts).toEqual([
      { name: "a", value: "b" },
      { name: "file", fileName: "x.bin", type: "a/b", base64: "AP9h" },
    ])
    const [text, file] = parts.map(formEntry)
    expect(text).toEqual(["a", "b"])
    const sent = file?.[1]
    if (!(sent instanceof File)) throw new Error("it is no file")
    expect([file?.[0], sent.name, sent.type, [...new Uint8Array(await sent.arrayBuffer())]]).toEqual([
      "file",
      "x.bin",
      "a/b",
      [0, 255, 97],
    ])
  })

  it.each<readonly [text: string, value: Json | undefined]>([
    ["", undefined],
    ["{", undefined],
    ["0", 0],
    ["null", null],
  ])("%j is parsed to %j", (text, value) => {
    expect(parseJson(text)).toEqual(value)
  })
})

describe("the headers of a request", () => {
  it.each<readonly [name: string, isKept: boolean]>([
    ["idempotency-key", true],
    ["x-service-signature", true],
    ["if-match", true],
    ["accepts", true],
    ["x-forwarded", true],
    ["authorization", false],
    ["cookie", false],
    ["content-length", false],
    ["content-type", false],
    ["sec-fetch-site", false],
    ["x-forwarded-for", false],
    ["x-b3-traceid", false],
    ["traceparent", false],
    ["user-agent", false],
    ["host", false],
  ])("with %s keep it: %s", (name, isKept) => {
    const headers = new Headers({ [name]: "v" })
    expect(recordedHeaders(requestOf({ headers }))).toEqual(isKept ? [[name, "v"]] : [])
  })

  it("have the type of a text, and of no other body", () => {
    const headers = new Headers({ "content-type": "text/csv" })
    expect(recordedHeaders(requestOf({ headers, content: { text: "" } }))).toEqual([["content-type", "text/csv"]])
    expect(recordedHeaders(requestOf({ headers, content: { body: {} } }))).toEqual([])
    expect(recordedHeaders(requestOf({ content: { text: "a" } }))).toEqual([])
  })
})

describe("a value that is valid once", () => {
  const path = "/auth/credentials/AuthMethod%3A1/verify"
  const answered = (body: Json): TapeStep => ({
    _tag: "Call",
    method: "POST",
    path: "/auth/credentials",
    as: "platform",
    headers: {},
    answer: { status: 201, body },
  })
  const bundle = { id: "AuthMethod:1", otpEncryptionTargetBundle: "target" }
  const steps = [
    answered(bundle),
    answered({ ...bundle, id: "AuthMethod:2" }),
    answered(bundle),
    answered({ id: "AuthMethod:1" }),
    { _tag: "Advance", millis: 1 } as const,
  ]
  const bound = (body: Json, more: Partial<Parameters<typeof bindOneOff>[0]> = {}) =>
    bindOneOff({
      request: requestOf({ path, content: { body } }),
      isAccepted: true,
      steps,
      sealed: new Map(),
      ...more,
    })
  const assertion = { assertion: { signature: "once", challenge: "c" }, other: 1 }

  it("is the signature of a passkey", () => {
    expect(bound(assertion).content).toEqual({
      body: { assertion: { signature: "sandbox-valid-passkey-signature", challenge: "c" }, other: 1 },
    })
  })

  it("is a sealed code, which refers to the last bundle of its credential", () => {
    const sealed = new Map<string, string>()
    const code = { encryptedOtpBundle: "code" }
    const refers = { body: { encryptedOtpBundle: "{{otp:2:otpEncryptionTargetBundle}}" } }
    expect(bound(code, { sealed }).content).toEqual(refers)
    expect(bound(code, { sealed, steps: [...steps, answered(bundle)] }).content).toEqual(refers)
    expect(bound({ encryptedOtpBundle: "other" }, { sealed, steps: [answered(bundle)] }).content).toEqual({
      body: { encryptedOtpBundle: "{{otp:0:otpEncryptionTargetBundle}}" },
    })
    expect(bound(code, { steps: [] }).content).toEqual({ body: code })
  })

  it("is the signature of a wallet in a header", () => {
    const headers = new Headers({ "x-service-wallet-signature": "once", "x-wallet-signatures": "a", "if-match": "b" })
    const { signatures } = bound({}, { request: requestOf({ headers }) })
    expect([...signatures]).toEqual([["x-service-wallet-signature", SandboxSignatures.sandboxSignature]])
  })

  it.each<readonly [what: string, path: string, body: Json]>([
    ["another path", "/auth/credentials/a/verify/b", assertion],
    ["a path without a credential", "/auth/credentials//verify", assertion],
    ["a body that is a list", path, [assertion]],
    ["a body that is a text", path, "assertion"],
    ["an assertion that is a list", path, { assertion: [] }],
    ["a code that is a number", path, { encryptedOtpBundle: 5 }],
  ])("is not in %s", (_what, own, body) => {
    expect(bound(body, { request: requestOf({ path: own, content: { body } }) }).content).toEqual({ body })
  })

  it("is recorded as it was sent, if it was refused", () => {
    const headers = new Headers({ "x-service-wallet-signature": "once" })
    const request = requestOf({ path, headers, content: { body: assertion } })
    const { content, signatures } = bound({}, { request, isAccepted: false })
    expect([content, signatures.size]).toEqual([{ body: assertion }, 0])
  })

  it("changes no text and no form", () => {
    for (const content of [{ text: "a" }, { form: [] }, {}])
      expect(bound({}, { request: requestOf({ path, content }) }).content).toEqual(content)
  })
})
