/** The client in a real browser: wallet cryptography, webhooks, and passkeys of a virtual authenticator, checked by the service's code. */
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeCrypto, WalletChecks } from "@countersign/adapter-http"
import { ExportBundle, type Hpke, OtpBundle, P256, SessionBundle, Stamp } from "@countersign/core/crypto"
import { PasskeyChecks } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { nonceOf } from "../../../packages/test/src/harness/OidcPerson.ts"
import { type Browser, browser, type Page } from "../console/Browser.ts"
import { clientBundle } from "./BrowserBundle.ts"
import { sentAt, signedWebhook, webhookKeys } from "./SignedWebhook.ts"

const services = Layer.merge(NodeCrypto.layer(), WalletChecks.layer())
const run = <A, E>(effect: Effect.Effect<A, E, P256 | Hpke | PasskeyChecks>) =>
  Effect.runPromise(Effect.provide(effect, services))

const document = (script: string) => `<!doctype html><title>Wallet</title><script>${script}</script><h1>Wallet</h1>`

let chrome: Browser
let served: AsyncDisposable & { readonly url: string }

const serve = async () => {
  const html = document((await clientBundle()).replaceAll("</script", "<\\/script"))
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    // Browsers take this name for as safe as https, and no address for a relying party.
    url: `http://localhost:${port}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

beforeAll(async () => {
  const opened = await Promise.all([browser(), serve()])
  chrome = opened[0]
  served = opened[1]
})
afterAll(async () => {
  await chrome[Symbol.asyncDispose]()
  await served[Symbol.asyncDispose]()
})

/** Calls a function in the page with JSON values. */
const call = async <A>(page: Page, body: string, ...given: ReadonlyArray<unknown>): Promise<A> => {
  const values = given.map((value) => JSON.stringify(value)).join(", ")
  return (await page.evaluate(`(${body})(${values})`)) as A
}

const create = `async (challenge, algorithm, attestation) => {
  const bytes = Uint8Array.from(atob(challenge.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))
  return client.attestationOf(await navigator.credentials.create({ publicKey: {
    rp: { name: "Wallet" }, user: { id: new Uint8Array(16), name: "ada", displayName: "Ada" }, challenge: bytes, attestation,
    pubKeyCredParams: [{ type: "public-key", alg: algorithm }] } }))
}`
const get = `async (challenge) => client.assertionOf(await navigator.credentials.get({ publicKey: {
  challenge: client.challengeBytes(challenge), userVerification: "preferred" } }))`

const registrationChallenge = Buffer.from("drawn by the platform").toString("base64url")
const challenges = ["a", "b"].map((digit) => digit.repeat(64))

type Attestation = Parameters<PasskeyChecks["Service"]["register"]>[0]
type Assertion = Parameters<PasskeyChecks["Service"]["assert"]>[0]

describe("a passkey of the browser", () => {
  it.each([
    ["ES256", -7, "none", "ctap2"],
    ["ES256", -7, "none", "u2f"],
    ["RS256", -257, "none", "ctap2"],
    ["EdDSA", -8, "none", "ctap2"],
  ] as const)(
    "of %s (%i), attestation %s, over %s, is registered and accepted",
    async (_, algorithm, attestation, protocol) => {
      const page = await chrome.page(served.url)
      await page.addAuthenticator(
        protocol === "u2f"
          ? { protocol, transport: "usb", hasResidentKey: false, hasUserVerification: false, isUserVerified: false }
          : {},
      )
      const made = await call<Attestation>(page, create, registrationChallenge, algorithm, attestation)
      let passkey = await run(PasskeyChecks.use(({ register }) => register(made, registrationChallenge)))
      expect(passkey).toMatchObject({ origin: served.url, userVerified: protocol === "ctap2" })
      const allowed = `{ id: Uint8Array.from(atob(${JSON.stringify(Buffer.from(passkey.credentialId, "base64url").toString("base64"))}), (char) => char.charCodeAt(0)), type: "public-key" }`
      const asked = get.replace("userVerification", `allowCredentials: [${allowed}], userVerification`)
      for (const challenge of challenges) {
        const used = await call<Assertion>(page, asked, challenge)
        const known = passkey
        const { signatureCount } = await run(PasskeyChecks.use(({ assert }) => assert(used, challenge, known)))
        expect(signatureCount).toBeGreaterThan(passkey.signatureCount)
        passkey = { ...passkey, signatureCount }
        // Neither this answer again, nor for another challenge.
        const after = passkey
        const replayed = await run(Effect.flip(PasskeyChecks.use(({ assert }) => assert(used, challenge, after))))
        expect(replayed).toMatchObject({ reason: "Signature counter did not increase" })
        const elsewhere = "c".repeat(64)
        const misused = await run(Effect.flip(PasskeyChecks.use(({ assert }) => assert(used, elsewhere, after))))
        expect(misused).toMatchObject({ reason: "Challenge mismatch" })
      }
    },
  )

  it("is discovered without a credential id, and returns its user", async () => {
    const page = await chrome.page(served.url)
    await page.addAuthenticator()
    const resident = create.replace(
      "pubKeyCredParams",
      'authenticatorSelection: { residentKey: "required", requireResidentKey: true }, pubKeyCredParams',
    )
    const made = await call<Attestation>(page, resident, registrationChallenge, -7, "none")
    const passkey = await run(PasskeyChecks.use(({ register }) => register(made, registrationChallenge)))
    const challenge = "d".repeat(64)
    const used = await call<Assertion>(page, get, challenge)
    expect(used.userHandle).toBe(Buffer.alloc(16).toString("base64url"))
    expect(await run(PasskeyChecks.use(({ assert }) => assert(used, challenge, passkey)))).toMatchObject({
      userVerified: true,
    })
  })

  it("is refused without user presence", async () => {
    const page = await chrome.page(served.url)
    const authenticatorId = await page.addAuthenticator()
    await page.send("WebAuthn.setResponseOverrideBits", { authenticatorId, isBadUP: true })
    const made = await call<Attestation>(page, create, registrationChallenge, -7, "none")
    const refusal = await run(Effect.flip(PasskeyChecks.use(({ register }) => register(made, registrationChallenge))))
    expect(refusal).toMatchObject({ reason: "User presence missing" })
  })
})

describe("wallet cryptography in the browser", () => {
  const organizationId = "org-1"
  const serviceKeys = () => run(P256.use((p256) => Effect.all([p256.generate, p256.generate])))

  it("generates keys, seals a code, opens a session and an export, and signs", async () => {
    const page = await chrome.page(served.url)
    const [quorum, target] = await serviceKeys()
    const expected = { signer: quorum.publicKey.uncompressed, organizationId }

    const publicKey = await call<string>(
      page,
      "async () => { wallet = client.walletCrypto(); keys = await wallet.makeKeys(); return keys.publicKey.uncompressed }",
    )
    const client = await run(P256.use((p256) => p256.publicKey(publicKey)))

    const targetBundle = await run(OtpBundle.makeTarget(quorum, target.publicKey, organizationId))
    const sealed = await call<string>(
      page,
      "(bundle, expected) => wallet.sealOtp(bundle, '000000', keys, expected)",
      targetBundle,
      expected,
    )
    const answer = await run(OtpBundle.open(target, sealed))
    expect([Redacted.value(answer.otpCode), answer.publicKey]).toEqual(["000000", client])

    const session = await run(P256.use((p256) => p256.generate))
    const sessionBundle = await run(SessionBundle.seal(client, session))
    const payload = '{"organizationId":"o","timestampMs":"1 ż"}'
    const header = await call<string>(
      page,
      "async (bundle, payload) => wallet.stamp(await wallet.openSession(keys, bundle), payload)",
      sessionBundle,
      payload,
    )
    expect(await run(Stamp.check(header, payload))).toEqual(session.publicKey)

    const mnemonic = Redacted.make("legal winner thank year wave sausage worth useful legal winner thank yellow")
    const exported = await run(ExportBundle.seal(quorum, client, { mnemonic, organizationId }))
    const words = await call(
      page,
      "(bundle, expected) => wallet.openExport(keys, bundle, expected)",
      exported,
      expected,
    )
    expect(words).toBe(Redacted.value(mnemonic))

    expect(await call(page, "(key) => wallet.oidcNonce(key)", publicKey)).toBe(nonceOf(publicKey))
    expect(page.console).toEqual([])
  })

  it("rejects a bundle of another signer, and names the check", async () => {
    const page = await chrome.page(served.url)
    const [quorum, other] = await serviceKeys()
    const bundle = await run(OtpBundle.makeTarget(other, other.publicKey, organizationId))
    const refusal = await call<string>(
      page,
      `async (bundle, expected) => { const wallet = client.walletCrypto()
        return wallet.sealOtp(bundle, "1", await wallet.makeKeys(), expected).catch((error) => error.reason) }`,
      bundle,
      { signer: quorum.publicKey.uncompressed },
    )
    expect(refusal).toBe("UNTRUSTED_SIGNER")
  })
})

describe("the verification of webhooks in the browser", () => {
  it("returns the event of a signed body, and names the reason of a refusal", async () => {
    const page = await chrome.page(served.url)
    const [key, replaced] = webhookKeys
    const { body, event, headers } = await signedWebhook()
    const verify = `(headers, body, keys, at) => client.verifyWebhook(new Headers(headers), body, keys, { now: () => at })
      .catch(({ reason }) => reason)`
    const outcome = (text: string, keys: unknown) => call(page, verify, headers, text, keys, sentAt)
    for (const keys of [[key], { secrets: [key.secret] }, { publicKey: replaced.publicKey }]) {
      expect(await outcome(body, keys)).toEqual(event)
      expect(await outcome(`${body} `, keys)).toBe("SIGNATURE_MISMATCH")
    }
    expect(await outcome(body, { publicKey: "no key" })).toBe("INVALID_PUBLIC_KEY")
    expect(await outcome(body, [{ ...key, id: "other" }])).toBe("UNKNOWN_KEY")
    expect(page.console).toEqual([])
  })
})

describe("the bundle for browsers", () => {
  it("is smaller than 480 kB", async () => {
    expect((await clientBundle()).length).toBeLessThan(480_000)
  })

  it("fails if a source imports a Node module", async () => {
    const file = join(tmpdir(), `countersign-entry-${process.pid}.ts`)
    writeFileSync(file, 'import { readFileSync } from "node:fs"\nexport const read = readFileSync\n')
    await expect(clientBundle(file)).rejects.toThrow(/node:fs/u)
  })
})

describe("the browser", () => {
  it("shows pages that share nothing, their pictures, and what they throw", async () => {
    const page = await chrome.page(served.url)
    await page.evaluate("localStorage.setItem('kept', 'here')")
    const other = await chrome.page(served.url)
    expect(await other.evaluate("localStorage.getItem('kept')")).toBe(null)
    expect((await page.screenshot()).subarray(1, 4).toString()).toBe("PNG")
    await expect(page.evaluate("Promise.reject(new Error('thrown there'))")).rejects.toThrow(/thrown there/u)
    await page.evaluate("console.log('said', 1)")
    expect(page.console).toEqual(["said 1"])
    await expect(chrome.page("http://localhost:1/")).rejects.toThrow(/ERR_/u)
  })

  it("ends when it is disposed of", async () => {
    const own = await browser()
    expect(own.version).toMatch(/^HeadlessChrome\//u)
    expect(process.kill(own.pid, 0)).toBe(true)
    await own[Symbol.asyncDispose]()
    expect(() => process.kill(own.pid, 0)).toThrow(/ESRCH/u)
  })
})
