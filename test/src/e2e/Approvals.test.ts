/**
 * The platform's decisions over HTTP: approvals, rejections, and approvals that can no longer be executed.
 * Spec: 4.2, States: AgentAction; wire contract 1.1, 1.6 and 11 (8, 9, 10).
 */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Body, textAt } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import {
  type Agent,
  balanceOf,
  type Customer,
  held,
  newAgent,
  newCustomer,
  newSource,
  newWorld,
  type Policy,
  transfer,
  type World,
} from "./Flow.ts"

let world: World

beforeAll(async () => {
  world = await newWorld()
}, 60_000)
afterAll(() => world[Symbol.asyncDispose]())

interface Case {
  readonly customer: Customer
  readonly source: string
  readonly agent: Agent
}

/** A customer and an agent whose actions all wait for approval. */
const fresh = async (policy: Policy = {}): Promise<Case> => {
  const customer = await newCustomer(world.platform)
  const source = await newSource(world.platform, customer)
  const agent = await newAgent(world.server.base, world.platform, customer, {
    defaultExecutionMode: "APPROVAL_REQUIRED",
    ...policy,
  })
  return { customer, source, agent }
}

const decide = (agent: Agent, actionId: string, how: "approve" | "reject", body?: unknown) =>
  world.platform("POST", `/agents/${agent.agentId}/actions/${actionId}/${how}`, body === undefined ? {} : { body })

const idsOf = (body: Body): ReadonlyArray<string> =>
  (body["data"] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)

describe("approvals", () => {
  // Proves: EP-MGMT-05, EP-MGMT-06, EP-MGMT-07
  it("lists pending approvals newest first, filtered and paged", async () => {
    const { agent, customer, source } = await fresh()
    const other = await fresh()
    const first = await held(agent, transfer(source, customer, 100))
    const second = await held(agent, transfer(source, customer, 200))
    const third = await held(other.agent, transfer(other.source, other.customer, 300))
    const all = await world.platform("GET", "/agents/approvals?limit=3")
    expect(idsOf(all.body)).toEqual([third, second, first])
    const ofAgent = await world.platform("GET", `/agents/approvals?agentId=${agent.agentId}&sortOrder=asc`)
    expect(ofAgent).toMatchObject({ status: 200, body: { hasMore: false, totalCount: 2 } })
    expect(idsOf(ofAgent.body)).toEqual([first, second])
    const filter = `customerId=${customer.customerId}&limit=1`
    const page = await world.platform("GET", `/agents/approvals?${filter}`)
    expect([idsOf(page.body), page.body["hasMore"], page.body["totalCount"]]).toEqual([[second], true, 2])
    const next = await world.platform("GET", `/agents/approvals?${filter}&cursor=${textAt(page, "nextCursor")}`)
    expect([idsOf(next.body), next.body["hasMore"]]).toEqual([[first], false])
    await decide(agent, first, "approve")
    await decide(agent, second, "reject")
    expect((await world.platform("GET", `/agents/approvals?agentId=${agent.agentId}`)).body["totalCount"]).toBe(0)
  })
})

describe("approve", () => {
  // Proves: EP-MGMT-01, EP-MGMT-02, STATE-ACTION-07
  it("executes the approved action and credits the account", async () => {
    const { agent, customer, source } = await fresh()
    const actionId = await held(agent, transfer(source, customer, 4200))
    expect(await balanceOf(world.platform, customer)).toBe(0)
    const approved = await decide(agent, actionId, "approve")
    expect(approved).toMatchObject({
      status: 200,
      body: { id: actionId, status: "APPROVED", transaction: { status: "PENDING", receivedAmount: { amount: 4200 } } },
    })
    await eventually(
      "the money",
      () => balanceOf(world.platform, customer),
      (amount) => amount === 4200,
    )
    const transaction = await world.platform("GET", `/transactions/${textAt(approved, "transaction", "id")}`)
    expect(transaction).toMatchObject({ status: 200, body: { status: "COMPLETED", agentId: agent.agentId } })
    expect(await agent.send("GET", `/agents/me/actions/${actionId}`)).toMatchObject({
      status: 200,
      body: { status: "APPROVED", transaction: { status: "COMPLETED" } },
    })
  })

  // Proves: EP-MGMT-14
  it("answers 409 with the action when it approves or rejects a decided action", async () => {
    const { agent, customer, source } = await fresh()
    const actionId = await held(agent, transfer(source, customer, 100))
    await decide(agent, actionId, "approve")
    for (const how of ["approve", "reject"] as const) {
      expect(await decide(agent, actionId, how)).toMatchObject({
        status: 409,
        body: { code: "CONFLICT", details: { action: { id: actionId, status: "APPROVED" } } },
      })
    }
  })

  // Proves: EP-MGMT-14
  it("decides an action once when many callers approve it at the same time", async () => {
    const { agent, customer, source } = await fresh()
    const actionId = await held(agent, transfer(source, customer, 100))
    const replies = await Promise.all(
      (["approve", "reject", "approve", "reject", "approve"] as const).map((how) => decide(agent, actionId, how)),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  })

  it("answers 404 for another agent's action and for an unknown action", async () => {
    const { agent, customer, source } = await fresh()
    const other = await fresh()
    const actionId = await held(agent, transfer(source, customer, 100))
    for (const reply of [
      await decide(other.agent, actionId, "approve"),
      await decide(agent, `AgentAction:${randomUUID()}`, "approve"),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
    }
  })
})

describe("reject", () => {
  // Proves: EP-MGMT-03, STATE-ACTION-09, STATE-ACTION-11
  it("ends the rejected action with the reason and executes nothing", async () => {
    const { agent, customer, source } = await fresh()
    const actionId = await held(agent, transfer(source, customer, 100))
    const rejected = await decide(agent, actionId, "reject", { reason: "Not this month." })
    expect(rejected).toMatchObject({ status: 200, body: { status: "REJECTED", rejectionReason: "Not this month." } })
    expect(rejected.body).not.toHaveProperty("transaction")
    expect((await decide(agent, actionId, "approve")).status).toBe(409)
  })

  // Proves: EP-MGMT-04, STATE-ACTION-10
  it("accepts a rejection without a body and with an empty one", async () => {
    const { agent, customer, source } = await fresh()
    for (const body of [undefined, {}]) {
      const rejected = await decide(agent, await held(agent, transfer(source, customer, 100)), "reject", body)
      expect(rejected).toMatchObject({ status: 200, body: { status: "REJECTED" } })
      expect(rejected.body).not.toHaveProperty("rejectionReason")
    }
  })
})

describe("an approval that can no longer be executed", () => {
  const obstacles: ReadonlyArray<readonly [name: string, obstruct: (made: Case) => Promise<unknown>]> = [
    [
      "the agent is paused",
      ({ agent }) => world.platform("PATCH", `/agents/${agent.agentId}`, { body: { isPaused: true } }),
    ],
    ["the agent is deleted", ({ agent }) => world.platform("DELETE", `/agents/${agent.agentId}`)],
    [
      "the permission was removed",
      ({ agent }) =>
        world.platform("PATCH", `/agents/${agent.agentId}/policy`, { body: { permissions: ["VIEW_TRANSACTIONS"] } }),
    ],
    [
      "the limit was lowered",
      ({ agent }) =>
        world.platform("PATCH", `/agents/${agent.agentId}/policy`, {
          body: { spendingLimits: { perTransactionLimit: 599 } },
        }),
    ],
    [
      "the daily limit is consumed",
      async ({ agent, customer, source }) =>
        decide(agent, await held(agent, transfer(source, customer, 600)), "approve"),
    ],
  ]

  // Proves: STATE-ACTION-15, STATE-ACTION-16, STATE-ACTION-18
  it.each(obstacles)("ends FAILED without a transaction if %s", async (_name, obstruct) => {
    const made = await fresh({ spendingLimits: { currency: "USD", perTransactionLimit: 1000, dailyLimit: 1000 } })
    const { agent, customer, source } = made
    const actionId = await held(agent, transfer(source, customer, 600))
    const obstructed = (await obstruct(made)) as { readonly status: number }
    expect([200, 204]).toContain(obstructed.status)
    const failed = await decide(agent, actionId, "approve")
    expect(failed).toMatchObject({ status: 200, body: { id: actionId, status: "FAILED" } })
    expect(failed.body).not.toHaveProperty("transaction")
    expect(await decide(agent, actionId, "reject")).toMatchObject({
      status: 409,
      body: { details: { action: { status: "FAILED" } } },
    })
  })

  // Proves: EP-MGMT-11
  it("rejects a pending action of a deleted agent, and refuses the agent's token", async () => {
    const { agent, customer, source } = await fresh()
    const actionId = await held(agent, transfer(source, customer, 100))
    const removed = await world.platform("DELETE", `/agents/${agent.agentId}`)
    expect([removed.status, removed.text, removed.headers.get("content-type")]).toEqual([204, "", null])
    expect(await world.platform("GET", `/agents/${agent.agentId}`)).toMatchObject({ status: 404 })
    expect(await agent.send("GET", "/agents/me")).toMatchObject({
      status: 401,
      body: { reason: "Invalid agent token" },
    })
    expect(await decide(agent, actionId, "reject")).toMatchObject({ status: 200, body: { status: "REJECTED" } })
  })
})
