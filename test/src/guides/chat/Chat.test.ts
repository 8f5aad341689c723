/** The guide about approvals in a chat tool, against a running sandbox: messages, clicks, strangers, double clicks and stale messages. */
import { makeClient } from "@countersign/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../../e2e/Deadline.ts"
import { credentials, held, newAgent, newWorld, transfer, type World } from "../../e2e/Flow.ts"
import { connect } from "../webhooks/Connect.ts"
import { listening } from "../webhooks/Listening.ts"
import { type Chat, chatApprovals } from "./ChatApprovals.ts"
import { type Click, clickOf, signatureOf } from "./Clicks.ts"

const secret = "s"
const nowSeconds = 1_790_000_000
const ada = "U100"
const signed = (click: Click, at = nowSeconds) => {
  const body = JSON.stringify(click)
  return { body, timestamp: String(at), signature: signatureOf(secret, String(at), body) }
}

describe("a click", () => {
  const click = { userId: ada, decision: "approve", agentId: "Agent:1", actionId: "AgentAction:1" } as const

  it("is what the tool signed", () => {
    expect(clickOf(secret, signed(click), nowSeconds)).toEqual(click)
  })

  it.each([
    ["another body", { ...signed(click), body: JSON.stringify({ ...click, userId: "U1" }) }],
    ["another time", { ...signed(click), timestamp: String(nowSeconds + 1) }],
    ["an old time", signed(click, nowSeconds - 301)],
    ["no time", { ...signed(click), timestamp: "" }],
    ["half a signature", { ...signed(click), signature: signed(click).signature.slice(32) }],
    ["another decision", signed({ ...click, decision: "delete" as "approve" })],
  ])("is refused with %s", (_, request) => {
    expect(clickOf(secret, request, nowSeconds)).toBeUndefined()
  })
})

describe("approvals in a chat", { timeout: 120_000 }, () => {
  let world: World
  beforeAll(async () => {
    world = await newWorld({ options: ["--webhook-allow", "127.0.0.1"] })
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())

  const start = async () => {
    const client = makeClient({ baseUrl: world.server.base, credentials })
    const shown = new Map<string, string>()
    const whispers: Array<string> = []
    const chat: Chat = {
      ask: async (text, { actionId }) => {
        shown.set(`message of ${actionId}`, text)
        return `message of ${actionId}`
      },
      settle: async (messageId, text) => void shown.set(messageId, text),
      whisper: async (userId, text) => void whispers.push(`${userId}: ${text}`),
    }
    const approvers = new Map([[ada, "Ada Lovelace"]])
    const program = chatApprovals({ client, chat, approvers, page: "https://pay.example/console", messages: new Map() })
    const endpoint = await listening("Express", await connect(world.server.base, credentials, program.process))
    await client.platform.updatePlatformConfig({ payload: { webhookEndpoint: endpoint.url } })

    const agent = await newAgent(world.server.base, world.platform, world.customer, {
      defaultExecutionMode: "APPROVAL_REQUIRED",
    })
    const actionId = await held(agent, transfer(world.source, world.customer, 500))
    const message = `message of ${actionId}`
    await eventually(
      "the message",
      () => shown.get(message),
      (text) => text !== undefined,
    )
    const click = (decision: Click["decision"], userId = ada) =>
      program.decide({ userId, decision, agentId: agent.agentId, actionId })
    return {
      actionId,
      client,
      agent,
      click,
      message,
      program,
      shown,
      whispers,
      [Symbol.asyncDispose]: endpoint[Symbol.asyncDispose],
    }
  }

  it("ask with the amount, and show the decision and who made it", async () => {
    await using chat = await start()
    expect(chat.shown.get(chat.message)).toContain("TRANSFER_IN of 500 USD")
    await chat.click("approve")
    expect(chat.shown.get(chat.message)).toBe("APPROVED by Ada Lovelace")
  })

  it("reject with a reason that names the person", async () => {
    await using chat = await start()
    await chat.click("reject")
    const { data } = await chat.client.agents.listAgentApprovals({ query: { status: ["REJECTED"] } })
    expect(data.find(({ id }) => id === chat.actionId)).toMatchObject({
      rejectionReason: "Rejected by Ada Lovelace in the chat.",
    })
  })

  it("of people who are not approvers decide nothing", async () => {
    await using chat = await start()
    await chat.click("approve", "U200")
    expect(chat.whispers).toEqual(["U200: You are not an approver."])
    const { data } = await chat.client.agents.listAgentApprovals({ query: { agentId: chat.agent.agentId } })
    expect(data.map(({ status }) => status)).toEqual(["PENDING_APPROVAL"])
  })

  it("count a double click once, also if both decisions differ", async () => {
    await using chat = await start()
    await Promise.all([chat.click("approve"), chat.click("approve"), chat.click("reject")])
    const { data } = await chat.client.agents.listAgentApprovals({
      query: { agentId: chat.agent.agentId, status: ["APPROVED", "REJECTED"] },
    })
    expect(data).toHaveLength(1)
    expect(chat.shown.get(chat.message)).toMatch(/^(?:APPROVED|REJECTED) (?:by Ada Lovelace|already)$/u)
  })

  it("over an action that was decided elsewhere show that decision", async () => {
    await using chat = await start()
    const params = { agentId: chat.agent.agentId, actionId: chat.actionId }
    await chat.client.agents.rejectAgentAction({ params, payload: {} })
    await chat.click("approve")
    expect(chat.shown.get(chat.message)).toBe("REJECTED already")
  })

  it("ask once for a repeated delivery", async () => {
    await using chat = await start()
    await chat.click("approve")
    const { data } = await chat.client.agents.listAgentApprovals({
      query: { agentId: chat.agent.agentId, status: ["APPROVED"] },
    })
    const [action] = data
    if (action === undefined) throw new Error("the action is not listed")
    const event = {
      id: "Webhook:1",
      type: "AGENT_ACTION.PENDING_APPROVAL",
      timestamp: "",
      platformId: "",
      data: action,
    } as const
    await chat.program.process(event)
    expect(chat.shown.get(chat.message)).toBe("APPROVED by Ada Lovelace")
  })
})
