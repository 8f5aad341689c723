/**
 * Sign-ins on the console and the sessions that they begin: what is stored, what the audit says, and when a session ends.
 * Source: D-352.
 */
import { ApiTokens, AuditRecords, Authentication, ConsoleSessions, tenant } from "@countersign/core"
import { Duration, Effect, Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import * as Secrets from "../../../packages/core/src/foundation/crypto/Secrets.ts"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { type World, world } from "../../../packages/test/src/harness/World.ts"
import { newHolder, origin, reasonOf, recordOf, recordsOf, signIn } from "./ConsoleSteps.ts"

const minutes = (count: number) => Duration.toMillis(Duration.minutes(count))

const audited = async ({ run }: World, operation: "CONSOLE_SIGN_IN" | "CONSOLE_SIGN_OUT") =>
  (await run(AuditRecords.use((records) => records.list({ operation })))).data

const note = ({ run }: World, sessionId: string) =>
  run(Effect.result(ConsoleSessions.use((sessions) => sessions.noteActivity(sessionId))))

const signOut = ({ run }: World, sessionId: string) => run(ConsoleSessions.use((all) => all.signOut(sessionId)))

const challenging = (name: string) => ConsoleSessions.use((sessions) => sessions.challenge(name, origin))

/** Signs a person in, and returns the stored session. */
const begun = async (pay: World) => {
  const holder = await newHolder(pay)
  const { secret, session } = Result.getOrThrow(await signIn(pay, holder, "Ada Lovelace"))
  return { holder, secret, session, stored: await recordOf(pay, "ConsoleSession") }
}

describe("a sign-in by the platform's credentials", () => {
  it("begins a session of eight hours, of which the service keeps the hash of the secret", async () => {
    await using pay = await world()
    const { holder, secret, session, stored } = await begun(pay)
    const now = await pay.clock.now()
    const token = (await recordsOf(pay, "ApiToken")).find(({ id }) => id === holder.tokenId)
    const { clientId } = token?.data ?? {}
    expect(session).toEqual({
      clientId,
      approver: "Ada Lovelace",
      proof: "SECRET",
      expiresAt: now + minutes(480),
      idleMillis: minutes(15),
    })
    const approver = await recordOf(pay, "Approver")
    expect(approver).toMatchObject({ platformId: pay.platformId, customerId: null, data: { name: "Ada Lovelace" } })
    expect(stored).toMatchObject({ platformId: pay.platformId, customerId: null })
    expect(stored.data).toEqual({
      status: "ACTIVE",
      tokenId: holder.tokenId,
      clientId,
      approverName: "Ada Lovelace",
      approverId: approver.id,
      proof: "SECRET",
      origin,
      secretHash: Secrets.hash(Redacted.value(secret)),
      expiresAt: now + minutes(480),
      activeAt: now,
    })
    expect(Redacted.value(secret)).toMatch(/^[0-9a-f]{64}$/u)
  })

  it("is audited under the name of the approver, with the session as its target", async () => {
    await using pay = await world()
    const { holder, stored } = await begun(pay)
    const { approverId } = stored.data
    const approver = { id: approverId, name: "Ada Lovelace", proof: "SECRET" }
    expect(await audited(pay, "CONSOLE_SIGN_IN")).toMatchObject([
      { actor: { type: "PLATFORM", id: holder.tokenId, approver }, target: stored.id, outcome: "DONE" },
    ])
  })

  it("finds the approver by the name in any letter case, and keeps its first spelling", async () => {
    await using pay = await world()
    const holder = await newHolder(pay)
    await signIn(pay, holder, "  Ada   Lovelace ")
    const again = Result.getOrThrow(await signIn(pay, holder, "ADA LOVELACE"))
    expect(again.session.approver).toBe("Ada Lovelace")
    const { id } = await recordOf(pay, "Approver")
    const sessions = await recordsOf(pay, "ConsoleSession")
    expect(sessions.map(({ data }) => [data.approverId, data.approverName])).toEqual([
      [id, "Ada Lovelace"],
      [id, "Ada Lovelace"],
    ])
  })

  it("under a name that is not valid says what a name is, and begins nothing", async () => {
    await using pay = await world()
    const holder = await newHolder(pay)
    const signedIn = Result.flip(await signIn(pay, holder, "Ada <b>"))
    const challenged = Result.flip(await pay.run(Effect.result(challenging("<b>")), holder))
    for (const refused of [Result.getOrThrow(signedIn), Result.getOrThrow(challenged)]) {
      expect(refused).toMatchObject({
        code: "INVALID_INPUT",
        details: {
          errors: [
            {
              field: "approver",
              message: "must be a name of 1 to 80 letters, digits, spaces and . , ' @ _ + -",
              constraint: { maxLength: 80 },
            },
          ],
        },
      })
    }
    expect(await recordsOf(pay, "ConsoleSession")).toEqual([])
  })

  it("needs an API token that is not deleted", async () => {
    await using pay = await agentWorld()
    const holder = await newHolder(pay)
    await pay.run(ApiTokens.use((tokens) => tokens.remove(holder.tokenId ?? "")))
    expect(reasonOf(await signIn(pay, holder, "Ada Lovelace"))).toBe("Invalid credentials")
    expect(reasonOf(await signIn(pay, tenant(pay.platformId), "Ada Lovelace"))).toBe("Invalid credentials")
    expect(reasonOf(await signIn(pay, pay.agent, "Ada Lovelace"))).not.toBe("done")
    expect(await recordsOf(pay, "Approver")).toEqual([])
  })
})

describe("a session", () => {
  it("admits its approver with the permissions of the token until it is left idle for 15 minutes", async () => {
    await using pay = await world()
    const { secret, stored } = await begun(pay)
    const admitted = () => pay.run(Effect.result(Authentication.use((all) => all.console(secret))))
    await pay.clock.advance("899999 millis")
    expect(Result.getOrThrow(await admitted()).caller).toMatchObject({ approver: { name: "Ada Lovelace" } })
    await pay.clock.advance("1 millis")
    expect(reasonOf(await admitted())).toBe("Console session expired or ended")
    expect(reasonOf(await note(pay, stored.id))).toBe("Console session expired or ended")
  })

  it("ends when its API token does", async () => {
    await using pay = await agentWorld()
    const soon = await pay.clock.now()
    const token = await pay.run(
      ApiTokens.use((tokens) => tokens.create({ name: "short", permissions: ["VIEW"], expiresAt: soon + minutes(5) })),
    )
    const holder = { ...(await newHolder(pay)), tokenId: token.body.id }
    const { secret } = Result.getOrThrow(await signIn(pay, holder, "Ada Lovelace"))
    const admitted = async () =>
      reasonOf(await pay.run(Effect.result(Authentication.use((all) => all.console(secret)))))
    await pay.clock.advance(`${minutes(5) - 1} millis`)
    expect(await admitted()).toBe("done")
    await pay.clock.advance("1 millis")
    expect(await admitted()).toBe("Console session expired or ended")
  })

  it("stores what the approver does at most once a minute", async () => {
    await using pay = await world()
    const { session, stored } = await begun(pay)
    await pay.clock.advance("59999 millis")
    expect(Result.getOrThrow(await note(pay, stored.id))).toEqual(session)
    expect((await recordOf(pay, "ConsoleSession")).data.activeAt).toBe(stored.data.activeAt)
    await pay.clock.advance("1 millis")
    expect(Result.getOrThrow(await note(pay, stored.id))).toEqual(session)
    expect((await recordOf(pay, "ConsoleSession")).data).toEqual({
      ...stored.data,
      activeAt: stored.data.activeAt + minutes(1),
    })
  })

  it("ends after eight hours, whatever the approver does", async () => {
    await using pay = await world()
    const { stored } = await begun(pay)
    for (let passed = 0; passed < 470; passed += 10) {
      await pay.clock.advance("10 minutes")
      expect(reasonOf(await note(pay, stored.id))).toBe("done")
    }
    await pay.clock.advance("599999 millis")
    expect(reasonOf(await note(pay, stored.id))).toBe("done")
    await pay.clock.advance("1 millis")
    expect(reasonOf(await note(pay, stored.id))).toBe("Console session expired or ended")
  })

  it("is ended by a sign-out, which is audited once and forgets the secret", async () => {
    await using pay = await world()
    const { secret, stored } = await begun(pay)
    await signOut(pay, stored.id)
    await signOut(pay, stored.id)
    const { secretHash: _forgotten, ...data } = stored.data
    expect((await recordOf(pay, "ConsoleSession")).data).toEqual({ ...data, status: "ENDED" })
    expect(await audited(pay, "CONSOLE_SIGN_OUT")).toMatchObject([{ target: stored.id, outcome: "DONE" }])
    expect(reasonOf(await pay.run(Effect.result(Authentication.use((all) => all.console(secret)))))).toBe(
      "Console session expired or ended",
    )
    expect(reasonOf(await note(pay, stored.id))).toBe("Console session expired or ended")
  })

  it("that does not exist is signed out without an effect, and notes no activity", async () => {
    await using pay = await world()
    const unknown = "ConsoleSession:00000000-0000-4000-8000-000000000001"
    await signOut(pay, unknown)
    expect(await audited(pay, "CONSOLE_SIGN_OUT")).toEqual([])
    expect(reasonOf(await note(pay, unknown))).toBe("Console session expired or ended")
  })
})
