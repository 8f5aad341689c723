/**
 * Attacks on the votes of approvers: other pages, other people's passkeys, used and foreign challenges, and digests of something else.
 * Source: D-352, D-532.
 */
import { createHash, randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PasskeyDevice, passkeyDevice } from "../../../packages/test/src/harness/PasskeyDevice.ts"
import { policyOf, twoOfFinance } from "../approval/Policies.ts"
import { approversToken, type PolicyFile, policyFile } from "../approval/PolicyFile.ts"
import { at, basic } from "../e2e/Client.ts"
import { type Agent, held, newWorld, transfer, type World } from "../e2e/Flow.ts"
import {
  advance,
  bodyOf,
  cookieOf,
  fromPage,
  type Headers,
  newApprovingAgent,
  prove,
  signIn,
  type Visit,
} from "./ConsoleVisitor.ts"
import { type RawReply, sendRaw } from "./Rivals.ts"

const origin = "https://pay.example.com"
const relyingPartyId = "pay.example.com"
const attacker = { clientId: "attacker", clientSecret: randomUUID() }

interface Approver {
  readonly cookie: string
  readonly device: PasskeyDevice
}

describe("votes on the console, signed by passkeys", () => {
  let file: PolicyFile
  let world: World
  let visit: Visit
  let agent: Agent
  let ada: Approver
  let grace: Approver
  let emmy: Approver

  const newApprover = async (name: string, from = visit): Promise<Approver> => {
    const device = passkeyDevice({ origin, relyingPartyId })
    const { challenge, sessionId } = bodyOf(await signIn(from, name))
    const attestation = device.register(Buffer.from(String(challenge)).toString("base64url"))
    return { device, cookie: cookieOf(await prove(from, { sessionId, ...attestation })) }
  }

  beforeAll(async () => {
    file = await policyFile(policyOf({ ...twoOfFinance, stepUp: true }))
    // A platform moves the time of others only if the deployment shares its clock.
    const other = ["--platform", `${attacker.clientId}:${attacker.clientSecret}`, "--shared-clock"]
    const options = [...file.options, ...other, "--public-url", origin, "--console-passkeys", "required"]
    world = await newWorld({ options })
    const { clientId, clientSecret } = await approversToken(world.platform)
    visit = { world, origin, authorization: basic(clientId, clientSecret) }
    agent = await newApprovingAgent(world)
    ada = await newApprover("Ada Lovelace")
    grace = await newApprover("Grace Hopper")
    emmy = await newApprover("Emmy Noether")
  }, 90_000)
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await file[Symbol.asyncDispose]()
  })

  const hold = () => held(agent, transfer(world.source, world.customer, 200))

  const send = (
    { cookie }: Approver,
    method: "GET" | "POST",
    actionId: string,
    body?: object,
    headers: Headers = fromPage(origin),
  ): Promise<RawReply> => {
    const path = body !== undefined && "signature" in body ? "/passkey" : ""
    const url = `${world.server.origin}/console/votes/${agent.agentId}/${actionId}${path}`
    return body === undefined
      ? sendRaw(url, method, { cookie, ...headers })
      : sendRaw(url, method, { cookie, "content-type": "application/json", ...headers }, JSON.stringify(body))
  }
  const digestOf = async (approver: Approver, actionId: string) =>
    String(at(bodyOf(await send(approver, "GET", actionId)), "votes", "digest"))
  const challengeOf = async (approver: Approver, actionId: string, digest: string) =>
    String(at(bodyOf(await send(approver, "POST", actionId, { digest })), "challenge", "challenge"))
  const approve = async (approver: Approver, actionId: string) => {
    const digest = await digestOf(approver, actionId)
    const assertion = approver.device.assert(await challengeOf(approver, actionId, digest))
    return send(approver, "POST", actionId, { digest, ...assertion })
  }
  const statusOf = async (actionId: string) =>
    (await agent.send("GET", `/agents/me/actions/${actionId}`)).body["status"]

  it("execute by the second, and the audit keeps what each passkey has signed", async () => {
    const actionId = await hold()
    expect(bodyOf(await approve(ada, actionId))).toMatchObject({ action: { status: "PENDING_APPROVAL" } })
    const shown = at(bodyOf(await send(grace, "GET", actionId)), "votes")
    expect(shown).toMatchObject({ needed: 2, needsStepUp: true, votes: [{ approver: "Ada Lovelace", isSigned: true }] })
    expect(bodyOf(await approve(grace, actionId))).toMatchObject({ action: { status: "APPROVED" } })
    const { body } = await world.platform("GET", `/audit-records?target=${actionId}&operation=AGENT_ACTION_VOTE`)
    const records = body["data"] as ReadonlyArray<{ readonly details: Readonly<Record<string, unknown>> }>
    expect(records).toHaveLength(2)
    for (const { details } of records) {
      const client = JSON.parse(Buffer.from(String(at(details, "assertion", "clientDataJson")), "base64url").toString())
      const signed = Buffer.from(String(client.challenge), "base64url").toString()
      expect(signed.endsWith(String(details["digest"]))).toBe(true)
      expect(JSON.stringify(details)).not.toContain("Lovelace")
    }
  })

  it("name the digest of the canonical JSON of what is shown", async () => {
    const votes = at(bodyOf(await send(ada, "GET", await hold())), "votes")
    const canonical = (value: unknown): string => {
      if (typeof value !== "object" || value === null) return JSON.stringify(value)
      const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
      return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`
    }
    expect(at(votes, "digest")).toBe(
      createHash("sha256")
        .update(canonical(at(votes, "shown")))
        .digest("hex"),
    )
  })

  it("signs nothing but the digest of what is shown", async () => {
    const actionId = await hold()
    const digest = await digestOf(ada, actionId)
    const other = "0".repeat(64)
    expect((await send(ada, "POST", actionId, { digest: other })).text).toContain("SHOWN_DIGEST_DIFFERS")
    const assertion = ada.device.assert(await challengeOf(ada, actionId, digest))
    expect((await send(ada, "POST", actionId, { digest: other, ...assertion })).status).toBe(401)
    expect((await send(ada, "POST", actionId, { digest: "not a digest" })).status).toBe(400)
    expect(await statusOf(actionId)).toBe("PENDING_APPROVAL")
  })

  it("accept an answer once, of the approver's own passkey, for the action that was asked about, in time", async () => {
    const [actionId, another] = [await hold(), await hold()]
    const digest = await digestOf(ada, actionId)
    const spent = async (approver: Approver, answer: (challenge: string) => object) => {
      const body = { digest, ...answer(await challengeOf(approver, actionId, digest)) }
      return (await send(approver, "POST", actionId, body)).status
    }
    expect(await spent(ada, (challenge) => grace.device.assert(challenge))).toBe(401)
    expect(await spent(ada, (challenge) => ada.device.assert(challenge, "signer"))).toBe(401)
    const foreign = ada.device.assert(await challengeOf(ada, another, await digestOf(ada, another)))
    expect((await send(ada, "POST", actionId, { digest, ...foreign })).status).toBe(401)
    const late = ada.device.assert(await challengeOf(ada, actionId, digest))
    expect((await advance(world, 5 * 60)).status).toBe(200)
    expect((await send(ada, "POST", actionId, { digest, ...late })).status).toBe(401)
    const once = { digest, ...ada.device.assert(await challengeOf(ada, actionId, digest)) }
    const replies = await Promise.all([1, 2, 3].map(() => send(ada, "POST", actionId, once)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    expect(await statusOf(actionId)).toBe("PENDING_APPROVAL")
  })

  it("of people who are not among the approvers ask for no passkey", async () => {
    const actionId = await hold()
    const shown = await send(emmy, "GET", actionId)
    expect(at(bodyOf(shown), "votes", "refusal", "reason")).toBe("NOT_AN_APPROVER")
    const begun = await send(emmy, "POST", actionId, { digest: await digestOf(emmy, actionId) })
    expect([begun.status, begun.text]).toEqual([403, expect.stringContaining("NOT_AN_APPROVER")])
  })

  it("of another platform's approver of the same name find no action", async () => {
    const actionId = await hold()
    const authorization = basic(attacker.clientId, attacker.clientSecret)
    const stranger = await newApprover("Ada Lovelace", { ...visit, authorization })
    const digest = await digestOf(ada, actionId)
    const replies = [
      await send(stranger, "GET", actionId),
      await send(stranger, "POST", actionId, { digest }),
      await send(stranger, "POST", actionId, { digest, ...stranger.device.assert(digest) }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 401])
    expect(await statusOf(actionId)).toBe("PENDING_APPROVAL")
  })

  it("are refused from other pages, without a session, and past the interface", async () => {
    const actionId = await hold()
    const digest = await digestOf(ada, actionId)
    for (const headers of [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "null" },
      { "sec-fetch-site": "same-origin" },
    ]) {
      expect((await send(ada, "POST", actionId, { digest }, headers)).status).toBe(403)
    }
    expect((await send({ ...ada, cookie: "" }, "GET", actionId)).status).toBe(401)
    expect((await send(ada, "GET", "AgentAction:00000000-0000-4000-8000-000000000000")).status).toBe(404)
    const direct = await world.platform("POST", `/agents/${agent.agentId}/actions/${actionId}/approve`)
    expect(direct).toMatchObject({ status: 403, body: { details: { reason: "NAMED_APPROVER_NEEDED" } } })
    expect(await statusOf(actionId)).toBe("PENDING_APPROVAL")
  })
})
