/**
 * Sign-ins with a passkey: its registration, its use, the checks that it fails, and when its challenge ends.
 * Source: D-352, D-353.
 */
import { AuditRecords, ConsoleSessions } from "@countersign/core"
import { Effect, Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import * as Secrets from "../../../packages/core/src/foundation/crypto/Secrets.ts"
import {
  type AssertionFault,
  type PasskeyDeviceOptions,
  passkeyDevice,
} from "../../../packages/test/src/harness/PasskeyDevice.ts"
import { type World, world } from "../../../packages/test/src/harness/World.ts"
import {
  challenge,
  deviceOf,
  newHolder,
  origin,
  prove,
  reasonOf,
  recordOf,
  recordsOf,
  register,
  signIn,
} from "./ConsoleSteps.ts"

const spent = "Passkey challenge expired or already used"
const textOf = (challenged: string) => Buffer.from(challenged).toString("base64url")
const millis = (minutes: number) => minutes * 60_000

/** A platform with a registered approver, whose next sign-in waits for the passkey. */
const challenged = async (pay: World) => {
  const holder = await newHolder(pay)
  const device = deviceOf("Ada Lovelace")
  const first = await challenge(pay, holder, "Ada Lovelace")
  const registered = device.register(textOf(first.challenge))
  expect(reasonOf(await prove(pay, holder, first.sessionId, registered))).toBe("done")
  return { holder, device, ...(await challenge(pay, holder, "ADA LOVELACE")) }
}

const sessionOf = async (pay: World, sessionId: string) =>
  (await recordsOf(pay, "ConsoleSession")).find(({ id }) => id === sessionId)

describe("the first sign-in with a passkey", () => {
  it("asks to register one, and waits for it five minutes", async () => {
    await using pay = await world()
    const holder = await newHolder(pay)
    const asked = await challenge(pay, holder, "  Ada   Lovelace ")
    const session = await recordOf(pay, "ConsoleSession")
    expect(asked).toEqual({
      sessionId: session.id,
      challenge: expect.stringMatching(/^[0-9a-f]{64}$/u),
      approver: "Ada Lovelace",
    })
    const token = (await recordsOf(pay, "ApiToken")).find(({ id }) => id === holder.tokenId)
    const now = await pay.clock.now()
    expect(session).toMatchObject({ platformId: pay.platformId, customerId: null })
    expect(session.data).toEqual({
      status: "CHALLENGED",
      tokenId: holder.tokenId,
      clientId: token?.data.clientId,
      approverName: "Ada Lovelace",
      proof: "PASSKEY",
      challenge: asked.challenge,
      origin,
      expiresAt: now + millis(5),
      activeAt: now,
    })
    expect(await recordsOf(pay, "Approver")).toEqual([])
  })

  it("creates the approver with the passkey, begins the session anew, and is audited by name", async () => {
    await using pay = await world()
    const holder = await newHolder(pay)
    const { challenge: text, sessionId } = await challenge(pay, holder, "Ada Lovelace")
    await pay.clock.advance("1 minute")
    const device = deviceOf("Ada Lovelace")
    const begun = Result.getOrThrow(await prove(pay, holder, sessionId, device.register(textOf(text))))
    const now = await pay.clock.now()
    const approver = await recordOf(pay, "Approver")
    expect(approver).toMatchObject({ platformId: pay.platformId, customerId: null })
    expect(approver.data).toMatchObject({ name: "Ada Lovelace", passkey: { credentialId: device.credentialId } })
    const { data } = await recordOf(pay, "ConsoleSession")
    expect(data).toEqual({
      status: "ACTIVE",
      tokenId: holder.tokenId,
      clientId: begun.session.clientId,
      approverName: "Ada Lovelace",
      approverId: approver.id,
      proof: "PASSKEY",
      origin,
      secretHash: Secrets.hash(Redacted.value(begun.secret)),
      expiresAt: now + millis(480),
      activeAt: now,
    })
    expect(begun.session).toMatchObject({ approver: "Ada Lovelace", proof: "PASSKEY", expiresAt: now + millis(480) })
    const audited = await pay.run(AuditRecords.use((records) => records.list({ operation: "CONSOLE_SIGN_IN" })))
    const actor = { id: holder.tokenId, approver: { id: approver.id, name: "Ada Lovelace", proof: "PASSKEY" } }
    expect(audited.data).toMatchObject([{ actor, target: sessionId }])
  })

  it("gives a passkey to an approver who has signed in without one", async () => {
    await using pay = await world()
    const holder = await newHolder(pay)
    await signIn(pay, holder, "Ada Lovelace")
    const { id } = await recordOf(pay, "Approver")
    const { caller } = await register(pay, holder, "Ada Lovelace")
    expect(caller.approver).toEqual({ id, name: "Ada Lovelace", proof: "PASSKEY" })
    expect((await recordOf(pay, "Approver")).data.passkey).toBeDefined()
  })

  it.each<readonly [string, PasskeyDeviceOptions, string]>([
    ["of another page", { origin: "https://evil.example", relyingPartyId: "evil.example" }, "Origin mismatch"],
    ["of a parent domain", { origin, relyingPartyId: "example.com" }, "Relying party mismatch"],
    [
      "that has verified nobody",
      { origin, relyingPartyId: "pay.example.com", verifiesUser: false },
      "User verification missing",
    ],
  ])("takes no passkey %s", async (_, options, reason) => {
    await using pay = await world()
    const holder = await newHolder(pay)
    const { challenge: text, sessionId } = await challenge(pay, holder, "Ada Lovelace")
    const used = passkeyDevice({ seed: "other", ...options }).register(textOf(text))
    expect(reasonOf(await prove(pay, holder, sessionId, used))).toBe(reason)
    expect(await recordsOf(pay, "Approver")).toEqual([])
  })

  it("on a page with a port needs the passkey of its host", async () => {
    await using pay = await world()
    const holder = await newHolder(pay)
    const page = "http://localhost:8080"
    const { challenge: text, sessionId } = await pay.run(
      ConsoleSessions.use((sessions) => sessions.challenge("Ada Lovelace", page)),
      holder,
    )
    const used = passkeyDevice({ seed: "Ada", origin: page, relyingPartyId: "localhost" }).register(textOf(text))
    expect(reasonOf(await prove(pay, holder, sessionId, used, page))).toBe("done")
  })

  it.each([
    ["no text", "\u0000"],
    ["no JSON", textOf("text")],
    ["null", textOf("null")],
    ["a number", textOf("7")],
    ["no origin", textOf("{}")],
  ])("refuses client data that is %s", async (_, clientDataJson) => {
    await using pay = await world()
    const holder = await newHolder(pay)
    const { challenge: text, sessionId } = await challenge(pay, holder, "Ada Lovelace")
    const used = { ...deviceOf("Ada Lovelace").register(textOf(text)), clientDataJson }
    expect(reasonOf(await prove(pay, holder, sessionId, used))).toBe("Origin mismatch")
  })
})

describe("a later sign-in with the passkey", () => {
  it("asks for the registered one, and stores its counter", async () => {
    await using pay = await world()
    const { approver, challenge: text, credentialId, device, holder, sessionId } = await challenged(pay)
    expect([approver, credentialId]).toEqual(["Ada Lovelace", device.credentialId])
    const before = (await recordOf(pay, "Approver")).data.passkey?.signatureCount ?? 0
    expect(reasonOf(await prove(pay, holder, sessionId, device.assert(text)))).toBe("done")
    const after = await recordOf(pay, "Approver")
    expect(after.data.passkey).toMatchObject({ credentialId: device.credentialId, signatureCount: before + 1 })
    expect((await sessionOf(pay, sessionId))?.data).toMatchObject({ status: "ACTIVE", approverId: after.id })
  })

  it.each<readonly [AssertionFault, string]>([
    ["credentialId", "Credential id mismatch"],
    ["challenge", "Challenge mismatch"],
    ["origin", "Origin mismatch"],
    ["relyingParty", "Relying party mismatch"],
    ["userPresence", "User presence missing"],
    ["signer", "Invalid assertion signature"],
    ["counter", "Signature counter did not increase"],
  ])("with a wrong %s names the failed check, and ends the challenge", async (fault, reason) => {
    await using pay = await world()
    const { challenge: text, device, holder, sessionId } = await challenged(pay)
    const wrong = Result.flip(await prove(pay, holder, sessionId, device.assert(text, fault)))
    expect(Result.getOrThrow(wrong)).toMatchObject({ code: "UNAUTHORIZED", message: reason, details: { reason } })
    const { data } = (await sessionOf(pay, sessionId)) ?? {}
    expect(data).toMatchObject({ status: "ENDED" })
    expect(data).not.toHaveProperty("challenge")
    expect(data).not.toHaveProperty("secretHash")
    expect(reasonOf(await prove(pay, holder, sessionId, device.assert(text)))).toBe(spent)
  })

  it("registers no second passkey", async () => {
    await using pay = await world()
    const { challenge: text, holder, sessionId } = await challenged(pay)
    const used = deviceOf("Thief").register(textOf(text))
    expect(reasonOf(await prove(pay, holder, sessionId, used))).not.toBe("done")
    expect((await recordOf(pay, "Approver")).data.passkey?.credentialId).toBe(deviceOf("Ada Lovelace").credentialId)
  })

  it.each([
    ["signature", "Invalid assertion signature"],
    ["authenticatorData", "Relying party mismatch"],
  ] as const)("without a %s fails its check", async (missing, reason) => {
    await using pay = await world()
    const { challenge: text, device, holder, sessionId } = await challenged(pay)
    const { [missing]: _, ...used } = device.assert(text)
    expect(reasonOf(await prove(pay, holder, sessionId, used))).toBe(reason)
  })

  it("is answered on the page that asked", async () => {
    await using pay = await world()
    const { challenge: text, holder, sessionId } = await challenged(pay)
    const other = "https://other.example.com"
    const device = passkeyDevice({ seed: "Ada Lovelace", origin: other, relyingPartyId: "pay.example.com" })
    expect(reasonOf(await prove(pay, holder, sessionId, device.assert(text), other))).toBe("Origin mismatch")
  })

  it("is answered once", async () => {
    await using pay = await world()
    const { challenge: text, device, holder, sessionId } = await challenged(pay)
    const used = device.assert(text)
    const answers = [await prove(pay, holder, sessionId, used), await prove(pay, holder, sessionId, used)]
    expect(answers.map(reasonOf)).toEqual(["done", spent])
    expect((await sessionOf(pay, sessionId))?.data.status).toBe("ACTIVE")
  })

  it.each([
    ["299999 millis", "done"],
    ["5 minutes", spent],
  ] as const)("is answered within five minutes: after %s", async (passed, outcome) => {
    await using pay = await world()
    const { challenge: text, device, holder, sessionId } = await challenged(pay)
    await pay.clock.advance(passed)
    expect(reasonOf(await prove(pay, holder, sessionId, device.assert(text)))).toBe(outcome)
  })

  it("is answered with the API token that asked, which must not be deleted", async () => {
    await using pay = await world()
    const { challenge: text, device, holder, sessionId } = await challenged(pay)
    const other = await newHolder(pay)
    expect(reasonOf(await prove(pay, other, sessionId, device.assert(text)))).toBe(spent)
    const nobody = { ...holder, tokenId: null }
    expect(reasonOf(await prove(pay, nobody, sessionId, device.assert(text)))).toBe("Invalid credentials")
    expect(reasonOf(await pay.run(Effect.result(challengeAs), nobody))).toBe("Invalid credentials")
    expect((await sessionOf(pay, sessionId))?.data.status).toBe("CHALLENGED")
    expect(reasonOf(await prove(pay, holder, sessionId, device.assert(text)))).toBe("done")
  })
})

const challengeAs = ConsoleSessions.use((sessions) => sessions.challenge("Ada Lovelace", origin))
