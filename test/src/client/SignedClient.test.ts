/** The signed client, against a small service that asks for signatures. Source: wire contract 4.7, 4.11, 5.5. */
import { randomUUID } from "node:crypto"
import { NodeCrypto } from "@countersign/adapter-http"
import {
  type KeyPair,
  type SignedAnswer,
  SignedClient,
  type SignedClientOptions,
  SignedRequestError,
  walletCrypto,
} from "@countersign/client"
import { Stamp } from "@countersign/core/crypto"
import { Effect, Result } from "effect"
import { beforeAll, expect, it } from "vitest"

const wallet = walletCrypto(NodeCrypto.layer())
let session: KeyPair
beforeAll(async () => {
  session = await wallet.makeKeys()
})

interface Seen {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly headers: Headers
}

const json = (status: number, body: unknown) => Response.json(body, { status })

/** Asks for a number of signatures, each over another payload, and then returns the signers. */
const service = (legs: number, prefix = "Service") => {
  const seen: Array<Seen> = []
  const pending = new Map<string, { readonly payload: string; readonly leg: number }>()
  const ask = (leg: number) => {
    const requestId = `Request:${randomUUID()}`
    const payloadToSign = `{"leg":${leg}, "of" : "${requestId}"}`
    pending.set(requestId, { payload: payloadToSign, leg })
    return json(202, { type: "PASSKEY", payloadToSign, requestId, expiresAt: "2026-11-21T12:05:00Z" })
  }
  const signer = async (header: string, payload: string) => {
    const checked = await Effect.runPromise(
      Effect.provide(Effect.result(Stamp.check(header, payload)), NodeCrypto.layer()),
    )
    return Result.isSuccess(checked) ? checked.success.compressed : checked.failure.code
  }
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    init?.signal?.throwIfAborted()
    const request = new Request(input, init)
    const { headers, method, url } = request
    const body = await request.text()
    seen.push({ method, url, body, headers })
    const header = headers.get(`${prefix}-Wallet-Signature`)
    const asked = pending.get(headers.get("request-id") ?? "")
    if (header === null || asked === undefined) return legs === 0 ? json(200, { header }) : ask(1)
    pending.delete(headers.get("request-id") ?? "")
    const signedBy = await signer(header, asked.payload)
    if (signedBy.startsWith("WALLET")) {
      return json(401, { status: 401, code: signedBy, message: "No.", reason: "Session not active", details: { a: 1 } })
    }
    if (asked.leg < legs) return ask(asked.leg + 1)
    return method === "DELETE" ? new Response(null, { status: 204 }) : json(201, { signedBy })
  }
  return { fetch, seen }
}

const clientOf = ({ fetch }: { readonly fetch: typeof globalThis.fetch }, more: Partial<SignedClientOptions> = {}) =>
  new SignedClient({
    baseUrl: "https://api.example/2025-10-13/",
    sign: (payload) => wallet.stamp(session, payload),
    fetch,
    ...more,
  })

const bodyOf = ({ body }: SignedAnswer) => body

it.each(["Service", "Other"])("signs the payload of a 202 of %s, and sends the same request again", async (prefix) => {
  const { fetch, seen } = service(1, prefix)
  const client = clientOf({ fetch }, { serviceName: prefix, headers: { authorization: "Basic a" } })
  const body = { b: "ż", a: [1, null] }
  const answer = await client.request("POST", "/auth/credentials", { body, headers: { "Idempotency-Key": "k" } })
  expect([answer.status, answer.body]).toEqual([201, { signedBy: session.publicKey.compressed }])
  expect(seen.map(({ body: text, method, url }) => [method, url, text])).toEqual(
    Array(2).fill(["POST", "https://api.example/2025-10-13/auth/credentials", JSON.stringify(body)]),
  )
  for (const { headers } of seen) {
    expect(headers.get("authorization")).toBe("Basic a")
    expect(headers.get("idempotency-key")).toBe("k")
    expect(headers.get("content-type")).toBe("application/json")
  }
  expect(seen[0]?.headers.has("request-id")).toBe(false)
})

it("reads the old name of the option, unless the new one is given", async () => {
  const { fetch, seen } = service(1, "Other")
  await clientOf({ fetch }, { headerPrefix: "Other" }).request("POST", "/x", { body: {} })
  await clientOf({ fetch }, { headerPrefix: "Old", serviceName: "Other" }).request("POST", "/x", { body: {} })
  expect(seen.filter(({ headers }) => headers.has("other-wallet-signature")).length).toBe(2)
})

it("signs twice if the service asks twice, each time for the newer request", async () => {
  const { fetch, seen } = service(2)
  const answer = await clientOf({ fetch }).request("POST", "/auth/delegated-keys", { body: {} })
  expect(answer.status).toBe(201)
  const ids = seen.map(({ headers }) => headers.get("request-id"))
  expect(new Set(ids).size).toBe(3)
})

it("stops after two signatures", async () => {
  const { fetch, seen } = service(5)
  expect((await clientOf({ fetch }).request("POST", "/x", { body: {} })).status).toBe(202)
  expect(seen.length).toBe(3)
})

it("sends no body without one, and reads none from a 204", async () => {
  const { fetch, seen } = service(1)
  const answer = await clientOf({ fetch }).request("DELETE", "/auth/sessions/Session:1")
  expect([answer.status, bodyOf(answer)]).toEqual([204, undefined])
  expect(seen.map(({ body, headers }) => [body, headers.get("content-type")])).toEqual([
    ["", null],
    ["", null],
  ])
})

it("signs nothing if the service does not ask", async () => {
  const { fetch, seen } = service(0)
  expect(bodyOf(await clientOf({ fetch }).request("GET", "/auth/sessions"))).toEqual({ header: null })
  expect(seen.length).toBe(1)
})

it("signs the first call if its payload is known, as for a quote", async () => {
  const { fetch, seen } = service(0)
  const payloadToSign = '{"type":"ACTIVITY_TYPE_SIGN_TRANSACTION_V2"}'
  const answer = await clientOf({ fetch }).request("POST", "/quotes/Quote:1/execute", { payloadToSign })
  const { header }: { header?: string } = Object(bodyOf(answer))
  const checked = await Effect.runPromise(Effect.provide(Stamp.check(header ?? "", payloadToSign), NodeCrypto.layer()))
  expect(checked).toEqual(session.publicKey)
  expect(seen[0]?.headers.has("request-id")).toBe(false)
})

it("signs one request with another key, as for a sealed code", async () => {
  const { fetch } = service(1)
  const keys = await wallet.makeKeys()
  const sign = (payload: string) => wallet.stamp(keys, payload)
  const answer = await clientOf({ fetch }).request("POST", "/auth/credentials/AuthMethod:1/verify", { body: {}, sign })
  expect(bodyOf(answer)).toEqual({ signedBy: keys.publicKey.compressed })
})

it("rejects with the members of the service's error", async () => {
  const { fetch } = service(1)
  const client = clientOf({ fetch }, { sign: (payload) => wallet.stamp(session, `${payload} `) })
  const refusal = await client.request("POST", "/x", { body: {} }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(SignedRequestError)
  expect(refusal).toMatchObject({
    name: "RequestRefused",
    status: 401,
    code: "WALLET_SIGNATURE_INVALID",
    reason: "Session not active",
    message: "No.",
    details: { a: 1 },
  })
})

it("rejects with the status if the answer is not the service's error", async () => {
  const fetch = async () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } })
  const refusal = await clientOf({ fetch })
    .request("GET", "/x")
    .catch((error: unknown) => error)
  expect(refusal).toMatchObject({
    status: 502,
    code: "UNKNOWN",
    message: "The service answered 502.",
    reason: undefined,
  })
})

it("aborts with its signal", async () => {
  const { fetch } = service(1)
  const signal = AbortSignal.abort(new Error("enough"))
  await expect(clientOf({ fetch }).request("GET", "/x", { signal })).rejects.toThrow(/enough/u)
})
