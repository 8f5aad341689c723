/**
 * The legacy value of a passkey's signature over HTTP, by the calls that a foreign client sends.
 * Spec: Sandbox authentication behavior (2), Versioning (3); wire contract areas 3.5; D-162.
 */
import { WalletChecks } from "@countersign/adapter-http"
import { UnauthorizedReasons } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"
import { newKey, opened, textAt } from "./People.ts"

const signature = "sandbox-valid-passkey-signature"
/** No part of it is base64url or JSON. */
const nonsense = { credentialId: "no such key", clientDataJson: "{ not json", authenticatorData: "###", signature }

const withPasskey = async (options: WorldOptions = {}) => {
  const pay = await harness(options)
  const phone = await pay.device()
  const id = await phone.register("PASSKEY")
  return { pay, phone, id, [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

const begin = async (pay: Harness, id: string) => {
  const key = await newKey()
  const body = { clientPublicKey: key.publicKey.uncompressed }
  const challenged = await pay.send("POST", `/auth/credentials/${id}/challenge`, { body })
  expect(challenged).toMatchObject({ status: 200, body: { challenge: expect.any(String) } })
  return { key, challenge: textAt(challenged, "challenge"), requestId: textAt(challenged, "requestId") }
}

const verify = (pay: Harness, id: string, requestId: string | undefined, assertion: object) =>
  pay.send("POST", `/auth/credentials/${id}/verify`, {
    headers: requestId === undefined ? {} : { "request-id": requestId },
    body: { type: "PASSKEY", assertion },
  })

describe("the legacy value", () => {
  // Proves: SBXAUTH-10, VER-04
  it("opens a session whose key is sealed to the key of the challenge, whatever the rest of the assertion", async () => {
    await using it = await withPasskey()
    const { key, requestId } = await begin(it.pay, it.id)
    const reply = await verify(it.pay, it.id, requestId, nonsense)
    expect(reply).toMatchObject({
      status: 200,
      body: { type: "PASSKEY", encryptedSessionSigningKey: expect.any(String) },
    })
    const session = await opened(key, textAt(reply, "encryptedSessionSigningKey"))
    expect(session.publicKey.compressed).toMatch(/^0[23][0-9a-f]{64}$/u)
  })

  it("does not move the counter, so that the passkey itself is accepted afterwards", async () => {
    await using it = await withPasskey()
    const stolen = await begin(it.pay, it.id)
    const high = { ...it.phone.passkey.assert(stolen.challenge), signature }
    expect((await verify(it.pay, it.id, stolen.requestId, high)).status).toBe(200)
    await it.phone.signIn("PASSKEY")
  })

  it("needs the open, unused challenge of this credential", async () => {
    await using it = await withPasskey()
    const { requestId } = await begin(it.pay, it.id)
    expect((await verify(it.pay, it.id, undefined, nonsense)).status).toBe(401)
    expect((await verify(it.pay, it.id, "Request:00000000-0000-4000-8000-000000000009", nonsense)).status).toBe(401)
    expect((await verify(it.pay, it.id, requestId, nonsense)).status).toBe(200)
    expect((await verify(it.pay, it.id, requestId, nonsense)).status).toBe(401)
    const late = await begin(it.pay, it.id)
    await it.pay.clock.advance("1 day")
    expect((await verify(it.pay, it.id, late.requestId, nonsense)).status).toBe(401)
    expect((await verify(it.pay, "AuthMethod:00000000-0000-4000-8000-000000000009", requestId, nonsense)).status).toBe(
      404,
    )
  })

  it.each([`${signature} `, signature.toUpperCase(), "sandbox-valid-signature"])(
    "must be exact: %o runs all checks",
    async (other) => {
      await using it = await withPasskey()
      const { challenge, requestId } = await begin(it.pay, it.id)
      const assertion = { ...it.phone.passkey.assert(challenge), signature: other }
      expect(await verify(it.pay, it.id, requestId, assertion)).toMatchObject({
        status: 401,
        body: { reason: UnauthorizedReasons.rows.INVALID_ASSERTION_SIGNATURE },
      })
    },
  )

  it("is a wrong signature in live mode", async () => {
    await using it = await withPasskey({ ports: WalletChecks.layer() })
    const { challenge, requestId } = await begin(it.pay, it.id)
    const assertion = { ...it.phone.passkey.assert(challenge), signature }
    expect(await verify(it.pay, it.id, requestId, assertion)).toMatchObject({
      status: 401,
      body: { code: "UNAUTHORIZED", reason: UnauthorizedReasons.rows.INVALID_ASSERTION_SIGNATURE },
    })
    const next = await begin(it.pay, it.id)
    expect((await verify(it.pay, it.id, next.requestId, nonsense)).status).toBe(401)
  })
})
