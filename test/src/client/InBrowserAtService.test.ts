/**
 * A passkey of a real browser at a running server, from registration to the export of the mnemonic. The page calls its platform's
 * backend, which adds the credentials and forwards every request.
 * Source: wire contract 4.3 to 4.10.
 */
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Browser, browser, type Page } from "../console/Browser.ts"
import { basic, client, type Send, textAt } from "../e2e/Client.ts"
import { credentialOptions, credentials } from "../e2e/Flow.ts"
import { type ServerProcess, startServer } from "../e2e/ServerProcess.ts"
import { clientBundle } from "./BrowserBundle.ts"

const authorization = basic(credentials.clientId, credentials.clientSecret)

/** The page's script: passkeys of the browser and the client's wallet cryptography. */
const program = `
const base64url = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))
const wallet = client.walletCrypto()
let session
const service = new client.SignedClient({ baseUrl: location.origin + "/wallet", sign: (payload) => wallet.stamp(session, payload) })
const send = async (method, path, body, headers) => (await service.request(method, path, { body, headers })).body

const register = async (challenge) => client.attestationOf(await navigator.credentials.create({ publicKey: {
  rp: { name: "Wallet" }, user: { id: new Uint8Array(16), name: "ada", displayName: "Ada" }, challenge: base64url(challenge),
  pubKeyCredParams: [{ type: "public-key", alg: -7 }, { type: "public-key", alg: -257 }] } }))

const enroll = async (accountId, challenge) => send("POST", "/auth/credentials",
  { type: "PASSKEY", accountId, nickname: "This browser", challenge, attestation: await register(challenge) })

const signIn = async (id) => {
  const keys = await wallet.makeKeys()
  const { challenge, credentialId, requestId } =
    await send("POST", "/auth/credentials/" + id + "/challenge", { clientPublicKey: keys.publicKey.uncompressed })
  const assertion = client.assertionOf(await navigator.credentials.get({ publicKey: {
    challenge: client.challengeBytes(challenge), allowCredentials: [{ type: "public-key", id: base64url(credentialId) }] } }))
  const issued = await send("POST", "/auth/credentials/" + id + "/verify", { type: "PASSKEY", assertion }, { "Request-Id": requestId })
  session = await wallet.openSession(keys, issued.encryptedSessionSigningKey)
  return { assertion, requestId, sessionId: issued.id }
}

const exportWords = async (accountId) => {
  const keys = await wallet.makeKeys()
  const { encryptedWalletCredentials } =
    await send("POST", "/internal-accounts/" + accountId + "/export", { clientPublicKey: keys.publicKey.uncompressed })
  return wallet.openExport(keys, encryptedWalletCredentials)
}

const refusal = (attempt) => attempt.then(() => "nothing was refused", ({ status, code, reason }) => [status, code, reason].join(" "))
`

let chrome: Browser
let server: ServerProcess
let platform: Send
let backend: AsyncDisposable & { readonly url: string }

/** Forwards a request of the page to the service, as the platform. */
const passOn = async (request: IncomingMessage, path: string): Promise<Response> => {
  const { headers, method = "GET" } = request
  const body = await text(request)
  const names = ["content-type", "request-id", "service-wallet-signature"]
  const sent = names.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]]] : []))
  return fetch(`${server.base}${path}`, {
    method,
    headers: { ...Object.fromEntries(sent), authorization },
    ...(body === "" ? {} : { body }),
  })
}

const serve = async () => {
  const script = `${await clientBundle()}\n${program}`.replaceAll("</script", "<\\/script")
  const html = `<!doctype html><meta charset="utf-8"><title>Wallet</title><script>${script}</script><h1>Wallet</h1>`
  const http = createServer(async (request, response) => {
    const path = request.url ?? ""
    if (!path.startsWith("/wallet/")) {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html)
      return
    }
    const answer = await passOn(request, path.slice("/wallet".length))
    const type = answer.headers.get("content-type")
    response.writeHead(answer.status, type === null ? {} : { "content-type": type }).end(await answer.text())
  })
  http.listen(0, "127.0.0.1")
  await once(http, "listening")
  const { port } = http.address() as AddressInfo
  return {
    // Browsers take this name for as safe as https, and no address for a relying party.
    url: `http://localhost:${port}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(http, "close")
      http.close()
      http.closeAllConnections()
      await closed
    },
  }
}

beforeAll(async () => {
  const opened = await Promise.all([browser(), startServer({ options: credentialOptions })])
  chrome = opened[0]
  server = opened[1]
  platform = client(server.base, authorization)
  backend = await serve()
})
afterAll(async () => {
  await chrome[Symbol.asyncDispose]()
  await backend[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** Calls a function in the page with JSON values. */
const call = async <A>(page: Page, name: string, ...given: ReadonlyArray<unknown>): Promise<A> =>
  (await page.evaluate(`${name}(${given.map((value) => JSON.stringify(value)).join(", ")})`)) as A

const newWallet = async () => {
  const customer = await platform("POST", "/customers", {
    body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" },
  })
  const customerId = textAt(customer, "id")
  const path = `/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`
  return textAt(await platform("GET", path), "data", 0, "id")
}

interface SignedIn {
  readonly assertion: unknown
  readonly requestId: string
  readonly sessionId: string
}

it("registers a passkey, signs in, signs, and exports the mnemonic", async () => {
  const page = await chrome.page(backend.url)
  await page.addAuthenticator()
  const accountId = await newWallet()
  const challenge = randomBytes(32).toString("base64url")
  const enrolled = await call<{ readonly id: string }>(page, "enroll", accountId, challenge)
  expect(enrolled).toMatchObject({ accountId, type: "PASSKEY", nickname: "This browser" })

  const { assertion, requestId, sessionId } = await call<SignedIn>(page, "signIn", enrolled.id)
  const sessions = await platform("GET", `/auth/sessions?accountId=${accountId}`)
  expect(sessions.body).toMatchObject({ data: [{ id: sessionId, type: "PASSKEY", nickname: "This browser" }] })
  const words = await call<string>(page, "exportWords", accountId)
  expect(words.split(" ")).toHaveLength(12)

  // The same answer again is nobody's.
  const replay = await platform("POST", `/auth/credentials/${enrolled.id}/verify`, {
    body: { type: "PASSKEY", assertion },
    headers: { "request-id": requestId },
  })
  expect([replay.status, replay.body["reason"]]).toEqual([401, "Passkey challenge expired or already used"])

  // It signs in again, and ends its session itself.
  const again = await call<SignedIn>(page, "signIn", enrolled.id)
  expect(await call(page, "exportWords", accountId)).toBe(words)
  await call(page, "send", "DELETE", `/auth/sessions/${again.sessionId}`)
  expect(await page.evaluate(`refusal(exportWords(${JSON.stringify(accountId)}))`)).toBe(
    "401 WALLET_SIGNATURE_INVALID Session not active",
  )
  expect(page.console).toEqual([])
})

it("refuses a registration for another challenge, and a used challenge", async () => {
  const page = await chrome.page(backend.url)
  await page.addAuthenticator()
  const accountId = await newWallet()
  const [challenge, other] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString("base64url"))
  const attestation = await call<object>(page, "register", other)
  const body = { type: "PASSKEY", accountId, nickname: "This browser", challenge, attestation }
  expect(await platform("POST", "/auth/credentials", { body })).toMatchObject({
    status: 400,
    body: { code: "INVALID_INPUT", details: { reason: "Challenge mismatch", errors: [{ field: "challenge" }] } },
  })
  expect((await platform("POST", "/auth/credentials", { body: { ...body, challenge: other } })).status).toBe(201)
  const elsewhere = { ...body, challenge: other, accountId: await newWallet() }
  expect(await platform("POST", "/auth/credentials", { body: elsewhere })).toMatchObject({
    status: 400,
    body: { code: "INVALID_INPUT", details: { reason: "Passkey challenge expired or already used" } },
  })
})

it("refuses a passkey with an invalid signature", async () => {
  const page = await chrome.page(backend.url)
  const authenticatorId = await page.addAuthenticator()
  const accountId = await newWallet()
  const { id } = await call<{ readonly id: string }>(page, "enroll", accountId, randomBytes(32).toString("base64url"))
  await page.send("WebAuthn.setResponseOverrideBits", { authenticatorId, isBogusSignature: true })
  expect(await page.evaluate(`refusal(signIn(${JSON.stringify(id)}))`)).toBe(
    "401 UNAUTHORIZED Invalid assertion signature",
  )
  await page.send("WebAuthn.setResponseOverrideBits", { authenticatorId, isBogusSignature: false })
  expect(await call<SignedIn>(page, "signIn", id)).toHaveProperty("sessionId")
})
