/**
 * Attacks on the passkeys of approvers: other people's, other pages', used, late and unreadable ones.
 * Source: D-352, D-353.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PasskeyDevice, passkeyDevice } from "../../../packages/test/src/harness/PasskeyDevice.ts"
import { basic, textAt } from "../e2e/Client.ts"
import { held, newWorld, transfer, type World } from "../e2e/Flow.ts"
import {
  advance,
  bodyOf,
  cookieOf,
  decisionsOf,
  fromPage,
  newApprovingAgent,
  pageOf,
  prove,
  setCookieOf,
  signIn,
  type Visit,
} from "./ConsoleVisitor.ts"
import type { RawReply } from "./Rivals.ts"

describe("the console with passkeys", () => {
  const origin = "https://pay.example.com"
  const relyingPartyId = "pay.example.com"
  let world: World
  let visit: Visit
  beforeAll(async () => {
    const options = ["--public-url", origin, "--console-passkeys", "required"]
    world = await newWorld({ options })
    visit = { world, origin }
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())

  const challengeFor = async (name: string) => {
    const reply = await signIn(visit, name)
    expect([reply.status, setCookieOf(reply)]).toEqual([202, ""])
    const { challenge, credentialId, sessionId } = bodyOf(reply)
    return { challenge: String(challenge), credentialId, sessionId: String(sessionId) }
  }
  const register = async (device: PasskeyDevice, name: string) => {
    const { challenge, credentialId, sessionId } = await challengeFor(name)
    expect(credentialId).toBeUndefined()
    return prove(visit, { sessionId, ...device.register(Buffer.from(challenge).toString("base64url")) })
  }
  const use = async (device: PasskeyDevice, name: string, wrong?: Parameters<PasskeyDevice["assert"]>[1]) => {
    const { challenge, sessionId } = await challengeFor(name)
    return prove(visit, { sessionId, ...device.assert(challenge, wrong) })
  }
  const refused = (reply: RawReply, reason: string) => {
    expect([reply.status, bodyOf(reply)["reason"], setCookieOf(reply)]).toEqual([401, reason, ""])
  }

  it("registers a passkey at the first sign-in, needs it at every later one, and says so in the audit", async () => {
    const device = passkeyDevice({ origin, relyingPartyId })
    expect((await register(device, "Ada Lovelace")).status).toBe(201)
    expect((await challengeFor("ada lovelace")).credentialId).toBe(device.credentialId)
    const page = pageOf(world, cookieOf(await use(device, "Ada Lovelace")), fromPage(origin))
    const agent = await newApprovingAgent(world)
    const actionId = await held(agent, transfer(world.source, world.customer, 200))
    expect((await page.api("POST", `/agents/${agent.agentId}/actions/${actionId}/approve`)).status).toBe(200)
    expect(await decisionsOf(world, actionId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          actor: expect.objectContaining({
            approver: expect.objectContaining({ name: "Ada Lovelace", proof: "PASSKEY" }),
          }),
        }),
      ]),
    )
  })

  it("signs nobody in as an approver whose passkey is another's", async () => {
    const device = passkeyDevice({ origin, relyingPartyId })
    expect((await register(device, "Grace Hopper")).status).toBe(201)
    const thief = passkeyDevice({ origin, relyingPartyId })
    refused(await use(thief, "Grace Hopper"), "Credential id mismatch")
    refused(await use(device, "Grace Hopper", "signer"), "Invalid assertion signature")
    refused(await use(device, "Grace Hopper", "counter"), "Signature counter did not increase")
    // A second registration needs a challenge for one, which an approver with a passkey never gets.
    const { challenge, sessionId } = await challengeFor("Grace Hopper")
    const attestation = thief.register(Buffer.from(challenge).toString("base64url"))
    expect((await prove(visit, { sessionId, ...attestation })).status).toBe(401)
    expect((await use(device, "Grace Hopper")).status).toBe(201)
  })

  it("accepts an answer to a challenge once, also for two at once, and no other challenge", async () => {
    const device = passkeyDevice({ origin, relyingPartyId })
    expect((await register(device, "Once Only")).status).toBe(201)
    const { challenge, sessionId } = await challengeFor("Once Only")
    const body = { sessionId, ...device.assert(challenge) }
    const replies = await Promise.all([prove(visit, body), prove(visit, body), prove(visit, body)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 401, 401])
    refused(await prove(visit, body), "Passkey challenge expired or already used")
    const other = await challengeFor("Once Only")
    const wrong = { sessionId: other.sessionId, ...device.assert(challenge) }
    refused(await prove(visit, wrong), "Challenge mismatch")
    // A wrong answer has ended the challenge.
    refused(
      await prove(visit, { sessionId: other.sessionId, ...device.assert(other.challenge) }),
      "Passkey challenge expired or already used",
    )
  })

  it("accepts no passkey of another page, of a parent domain, or without verifying the person", async () => {
    const cases = [
      [{ origin: "https://evil.example", relyingPartyId: "evil.example" }, "Origin mismatch"],
      [{ origin, relyingPartyId: "example.com" }, "Relying party mismatch"],
      [{ origin, relyingPartyId, verifiesUser: false }, "User verification missing"],
    ] as const
    for (const [options, reason] of cases) refused(await register(passkeyDevice(options), "Eve Outside"), reason)
    expect((await challengeFor("Eve Outside")).credentialId).toBeUndefined()
  })

  it("ends a challenge after five minutes, and gives it to the credentials that asked only", {
    timeout: 60_000,
  }, async () => {
    const device = passkeyDevice({ origin, relyingPartyId })
    const { challenge, sessionId } = await challengeFor("Late Lena")
    const body = { sessionId, ...device.register(Buffer.from(challenge).toString("base64url")) }
    const token = await world.platform("POST", "/tokens", { body: { name: "x", permissions: ["VIEW"] } })
    const authorization = basic(textAt(token, "clientId"), textAt(token, "clientSecret"))
    refused(await prove({ ...visit, authorization }, body), "Passkey challenge expired or already used")
    await advance(world, 5 * 60)
    refused(await prove(visit, body), "Passkey challenge expired or already used")
  })

  it.each([
    {},
    { sessionId: "x" },
    { sessionId: "ConsoleSession:00000000-0000-4000-8000-000000000001", credentialId: "", clientDataJson: "" },
    { sessionId: "x", credentialId: "x".repeat(20_000), clientDataJson: "x" },
    [],
    "text",
  ])("refuses what is no passkey: %j", async (body) => {
    const reply = await prove(visit, body as object)
    expect([400, 401]).toContain(reply.status)
    expect(setCookieOf(reply)).toBe("")
  })
})
