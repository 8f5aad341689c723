/**
 * The auditor finds each problem of the embedded wallet in a run that was corrupted for it: its credentials, sessions, signed requests,
 * privacy, words and quotes.
 * Source: wire contract 4.2 to 4.10; D-418.
 */
import { generateKeyPairSync, sign } from "node:crypto"
import type { Send } from "@countersign/test"
import { describe, it } from "vitest"
import { hex, seal } from "../flows/NodeHpke.ts"
import type { Body } from "./Answers.ts"
import { answering, findsIn, listed, withBody, withData } from "./Corruptions.ts"
import { signatureHeader } from "./SignedCalls.ts"
import type { Pay } from "./World.ts"

const finds = findsIn("credentials", "wallet", "quotes")

const timeout = { timeout: 120_000 }

const lists = (what: string, corrupt: (each: Body) => ReadonlyArray<Body>) =>
  answering(
    (method, path) => method === "GET" && path.startsWith(`/auth/${what}?`),
    withData((data) => data.flatMap(corrupt)),
  )
const isSigned = (options?: Send) => options?.headers?.[signatureHeader] !== undefined

/** Answers both calls of a signed deletion, which the service never gets. */
const unheardDeletion = (start: string) => (pay: Pay) => {
  const { send } = pay
  const begun = { status: 202, body: { payloadToSign: "", requestId: "Request:never", expiresAt: "2100-01-01" } }
  const answered: typeof send = async (method, path, options) => {
    if (method !== "DELETE" || !path.startsWith(start)) return send(method, path, options)
    return { headers: new Headers(), ...(isSigned(options) ? { status: 204, body: undefined } : begun) }
  }
  Object.assign(pay, { send: answered })
}

describe("the auditor of credentials", timeout, () => {
  it("finds a credential that is lost, listed twice, or exists without a registration", async () => {
    await finds(
      lists("credentials", () => []),
      /AuthMethod:\S+ was registered and is not listed/u,
    )
    await finds(
      lists("credentials", (each) => [each, each]),
      /AuthMethod:\S+ is listed twice/u,
    )
    const twin = lists("credentials", (each) => [each, { ...each, id: "AuthMethod:never" }])
    await finds(twin, /AuthMethod:never is listed and nobody registered it/u)
    const retyped = lists("credentials", (each) => [{ ...each, type: "OAUTH" }])
    await finds(retyped, /AuthMethod:\S+ is listed as OAUTH and was registered as EMAIL_OTP/u)
  })

  it("finds a deletion without an effect", async () => {
    const deleted = unheardDeletion("/auth/credentials/")
    await finds(
      deleted,
      /AuthMethod:\S+ was deleted and is listed/u,
      /Request:never was accepted and is not audited/u,
      /Request:never was accepted \d+ times/u,
    )
  })

  it("finds a wrong code, a faulty assertion or token, and an invalid attestation that were accepted", async () => {
    const accepted = (fits: (path: string, options?: Send) => boolean, status: number) =>
      answering(
        (method, path, options) => method === "POST" && fits(path, options),
        (reply) => (reply.status === 401 || reply.status === 400 ? { ...reply, status } : reply),
      )
    await finds(
      accepted((path) => path.endsWith("/verify"), 202),
      /AuthMethod:\S+ was verified with a wrong code/u,
    )
    await finds(
      accepted((path) => path.endsWith("/verify"), 200),
      /AuthMethod:\S+ was verified with the fault \w+/u,
    )
    await finds(
      accepted((path) => path === "/auth/credentials", 201),
      /POST \/auth\/credentials was accepted with an invalid attestation/u,
    )
  })
})

describe("the auditor of sessions", timeout, () => {
  it("finds a session that is lost, listed twice, or exists without a sign-in", async () => {
    await finds(
      lists("sessions", () => []),
      /Session:\S+ is active and not listed/u,
    )
    await finds(
      lists("sessions", (each) => [each, each]),
      /Session:\S+ is listed twice/u,
    )
    const twins = lists("sessions", (each) => ["a", "b", "c", "d"].map((id) => ({ ...each, id: `Session:${id}` })))
    await finds(twins, /Session:d exists without a sign-in/u)
  })

  it("finds a session that outlives its revocation, and one with another end", async () => {
    await finds(unheardDeletion("/auth/sessions/"), /Session:\S+ is ended and is listed/u)
    const later = lists("sessions", (each) => [{ ...each, expiresAt: "2100-01-01T00:00:00Z" }])
    await finds(later, /Session:\S+ ends \d+ ms later than it should/u)
  })
})

describe("the auditor of signed requests", timeout, () => {
  it("finds a request id that was accepted twice, or after its end", async () => {
    const again = answering(
      (_, __, options) => options?.headers?.["request-id"] !== undefined && isSigned(options),
      (reply) => (reply.status === 401 ? { ...reply, status: 200 } : reply),
    )
    await finds(again, /was accepted twice with Request:\S+/u, /was accepted after Request:\S+ had expired/u)
  })

  it("finds an acceptance that is audited twice or never", async () => {
    const audit = /^\/audit-records\?operation=SIGNED_ACTION/u
    await finds(
      listed(audit, () => []),
      /Request:\S+ was accepted and is not audited/u,
    )
    await finds(
      listed(audit, (each) => [each, each]),
      /Request:\S+ is audited twice/u,
    )
  })

  it("finds a quote of the wallet that was executed without its signature, and one by an unknown key", async () => {
    const executed = answering(
      (method, path) => method === "POST" && /^\/quotes\/[^/]+\/execute$/u.test(path),
      (reply) => (reply.status === 401 ? { ...reply, status: 200 } : reply),
    )
    await finds(
      executed,
      /Quote:\S+ was executed without the signature of its wallet/u,
      /POST \/quotes\/Quote:\S+\/execute was accepted by an unknown key/u,
    )
  })
})

describe("the auditor of the wallet", timeout, () => {
  it("finds a privacy that nobody asked for last", async () => {
    const isWallet = ({ type }: Body) => type === "EMBEDDED_WALLET"
    const turned = answering(
      (method, path) => method === "GET" && path.startsWith("/internal-accounts/"),
      (reply) => {
        const account = reply.body as Body
        return isWallet(account) ? withBody(reply, { privateEnabled: account["privateEnabled"] !== true }) : reply
      },
    )
    await finds(turned, /InternalAccount:\S+ is private: (?:true|false), which nobody asked for last/u)
  })

  it("finds exports with different words", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const { x = "", y = "" } = publicKey.export({ format: "jwk" })
    const quorum = `04${[x, y].map((part) => Buffer.from(part, "base64url").toString("hex")).join("")}`
    const sealedWords = (clientPublicKey: string, words: string) => {
      const bytes = Buffer.from(JSON.stringify(seal(hex(clientPublicKey), words)))
      const dataSignature = sign("sha256", bytes, privateKey).toString("hex")
      return JSON.stringify({ data: bytes.toString("hex"), dataSignature, enclaveQuorumPublic: quorum })
    }
    await finds(
      (pay) => {
        const { send } = pay
        let times = 0
        const answered: typeof send = async (method, path, options) => {
          const reply = await send(method, path, options)
          if (!path.endsWith("/export") || reply.status !== 200) return reply
          const clientPublicKey = String(((options?.body ?? {}) as Body)["clientPublicKey"])
          return withBody(reply, { encryptedWalletCredentials: sealedWords(clientPublicKey, `word ${times++}`) })
        }
        Object.assign(pay, { send: answered })
      },
      /was exported with \d+ different texts/u,
      /was exported with another number of words/u,
    )
  })
})
