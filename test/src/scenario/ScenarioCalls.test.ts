/**
 * Scenarios over the interface: each makes what it says, on an empty and on a filled world, as its caller, and says what stays when it stops.
 * Source: D-472.
 */
import { OfferedScenarios } from "@countersign/client/scenarios"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"

const names = Object.keys(OfferedScenarios)

const run = async (pay: Pick<Harness, "send">, name: string) => {
  const reply = await pay.send("POST", `/sandbox/scenarios/${name}/run`)
  expect([name, reply.status, reply.status === 201 ? "" : reply.body]).toEqual([name, 201, ""])
  return reply.body as {
    readonly name: string
    readonly records: ReadonlyArray<{ readonly name: string; readonly id: string }>
  }
}

const idsOf = (made: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(made.records.map(({ id, name }) => [name, id]))

describe("the list of scenarios", () => {
  it("says what each of them makes", async () => {
    await using pay = await harness()
    const { body, status } = await pay.send("GET", "/sandbox/scenarios")
    expect(status).toBe(200)
    expect(body).toEqual({ data: Object.entries(OfferedScenarios).map(([name, texts]) => ({ name, ...texts })) })
  })
})

describe("a scenario", () => {
  it.each(names)("%s makes the same records by name on an empty and on a filled world, each new", async (name) => {
    await using pay = await harness()
    const first = await run(pay, name)
    const second = await run(pay, name)
    expect(second.records.map((record) => record.name)).toEqual(first.records.map((record) => record.name))
    const ids = [...first.records, ...second.records].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id } of first.records) {
      const found = await pay.send("GET", `/operator/records/${id}`)
      expect([id, found.status]).toEqual([id, 200])
    }
  })

  it("leaves payments in the states that it promises", async () => {
    await using pay = await harness()
    const made = idsOf(await run(pay, "payments-in-every-state"))
    const statuses = await Promise.all(
      Object.entries(made)
        .filter(([, id]) => id.startsWith("Transaction:"))
        .map(async ([name, id]) => [name, at(await pay.send("GET", `/transactions/${id}`), "status")]),
    )
    expect(Object.fromEntries(statuses)).toEqual({
      paidId: "COMPLETED",
      refusedId: "FAILED",
      pendingId: "PENDING",
      collectedId: "COMPLETED",
      uncollectedId: "FAILED",
      deliveredAbroadId: "COMPLETED",
      underWayAbroadId: "PROCESSING",
      refundedAbroadId: "FAILED",
    })
    expect(at(await pay.send("GET", `/quotes/${made["openQuoteId"]}`), "status")).toBe("PENDING")
  })

  it("leaves cards and card transactions in the states that it promises", async () => {
    await using pay = await harness()
    const made = idsOf(await run(pay, "card-programme"))
    await pay.settle()
    const statusOf = async (name: string) => at(await pay.send("GET", `/transactions/${made[name]}`), "status")
    expect(await Promise.all(["authorizedId", "partlySettledId", "settledId", "refundedId"].map(statusOf))).toEqual([
      "AUTHORIZED",
      "PARTIALLY_SETTLED",
      "SETTLED",
      "REFUNDED",
    ])
    expect(at(await pay.send("GET", `/cards/${made["pausedCardId"]}`), "state")).toBe("FROZEN")
  })

  it("leaves customers in each state of their checks", async () => {
    await using pay = await harness()
    const made = idsOf(await run(pay, "customers-in-every-state"))
    const stateOf = async (name: string) => {
      const reply = await pay.send("GET", `/customers/${made[name]}`)
      return at(reply, name.includes("Person") ? "kycStatus" : "kybStatus")
    }
    expect(
      Object.fromEntries(await Promise.all(Object.keys(made).map(async (name) => [name, await stateOf(name)]))),
    ).toEqual({
      approvedPersonId: "APPROVED",
      pendingPersonId: "PENDING",
      rejectedPersonId: "REJECTED",
      unverifiedPersonId: "UNVERIFIED",
      approvedBusinessId: "APPROVED",
      reviewedBusinessId: "PENDING",
      rejectedBusinessId: "REJECTED",
      unverifiedBusinessId: "UNVERIFIED",
    })
  })

  it("answers ids alone: no token of an agent leaves it", async () => {
    await using pay = await harness()
    const { records } = await run(pay, "demo")
    expect(records.map(({ name }) => name)).toContain("treasury.agentId")
    for (const { id } of records) expect(id).toMatch(/^[A-Z][A-Za-z]+:[0-9a-f-]{36}$/u)
  })

  it("lets webhooks fail, keeps the other faults, and says so in the list of faults", async () => {
    await using pay = await harness()
    await pay.send("PUT", "/sandbox/faults", { body: { issuer: { kind: "SLOW" } } })
    await run(pay, "failing-webhooks")
    const { body } = await pay.send("GET", "/sandbox/faults")
    expect(body).toMatchObject({ on: ["issuer", "webhooks"], webhooks: { kind: "STATUS", status: 503, percent: 60 } })
    await pay.settle()
    expect(at(await pay.send("GET", "/sandbox/faults"), "met", "webhooks")).toBeGreaterThan(0)
  })

  it("makes the inbox the endpoint of a platform that has none", async () => {
    await using pay = await harness({ webhookEndpoint: null })
    await run(pay, "failing-webhooks")
    expect(at(await pay.send("GET", "/sandbox/inbox"), "isEndpoint")).toBe(true)
  })

  it("says where it stopped and what stays, and changes nothing else", async () => {
    await using pay = await harness()
    await pay.send("PUT", "/sandbox/faults", { body: { rail: { kind: "UNKNOWN" } } })
    const { body, status } = await pay.send("POST", "/sandbox/scenarios/payments-in-every-state/run")
    expect(status).toBe(409)
    const made = at({ body }, "details", "made") as ReadonlyArray<string>
    expect(at({ body }, "details", "reason")).toBe("SCENARIO_FAILED")
    expect(at({ body }, "details", "operation")).toMatch(/^GET \/transactions\/Transaction:/u)
    expect(at({ body }, "message")).toContain("did not reach the expected state")
    expect(made.map((id) => id.split(":")[0])).toEqual([
      "Customer",
      ...Array<string>(4).fill("ExternalAccount"),
      "Transaction",
    ])
    for (const id of made) expect((await pay.send("GET", `/operator/records/${id}`)).status).toBe(200)
    await pay.send("DELETE", "/sandbox/faults")
    await run(pay, "payments-in-every-state")
  })

  it("refuses to begin while another one runs, under an unknown name, and for a caller who may not send its requests", async () => {
    await using pay = await harness()
    const both = await Promise.all([1, 2].map(() => pay.send("POST", "/sandbox/scenarios/demo/run")))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(both.map(({ body }) => at({ body }, "details", "reason"))).toContain("SCENARIO_RUNNING")
    for (const name of ["empty", "funded-wallet-with-session", "toString", "demo%2F"]) {
      expect((await pay.send("POST", `/sandbox/scenarios/${name}/run`)).status).toBe(404)
    }
    const token = await pay.send("POST", "/tokens", { body: { name: "m", permissions: ["VIEW", "MANAGE"] } })
    const headers = { authorization: `Basic ${btoa(`${at(token, "clientId")}:${at(token, "clientSecret")}`)}` }
    const before = at(await pay.send("GET", "/customers"), "totalCount")
    const refused = await pay.send("POST", "/sandbox/scenarios/demo/run", { as: "nobody", headers })
    expect([refused.status, at(refused, "details", "permission")]).toEqual([403, "TRANSACT"])
    expect(at(await pay.send("GET", "/customers"), "totalCount")).toBe(before)
  })

  it("acts as its caller: the audit and the kept requests name the token", async () => {
    await using pay = await harness()
    const token = await pay.send("POST", "/tokens", {
      body: { name: "s", permissions: ["VIEW", "TRANSACT", "MANAGE"] },
    })
    const headers = { authorization: `Basic ${btoa(`${at(token, "clientId")}:${at(token, "clientSecret")}`)}` }
    expect((await pay.send("POST", "/sandbox/scenarios/demo/run", { as: "nobody", headers })).status).toBe(201)
    const { body } = await pay.send("GET", `/sandbox/requests?caller=${at(token, "id")}&limit=100`)
    const operations = (at({ body }, "data") as ReadonlyArray<{ readonly operation: string }>).map(
      (each) => each.operation,
    )
    expect(operations).toEqual(expect.arrayContaining(["createCustomer", "createAgent", "sandboxRunScenario"]))
    const audit = await pay.send("GET", "/audit-records?limit=100")
    const run = (at(audit, "data") as ReadonlyArray<{ readonly operation: string; readonly actor: object }>).find(
      ({ operation }) => operation === "SANDBOX_SCENARIO_RUN",
    )
    expect(run).toMatchObject({ actor: { type: "PLATFORM", id: at(token, "id") }, details: { name: "demo" } })
  })

  it("does nothing for a request from outside that claims a caller of its own", async () => {
    await using pay = await harness()
    for (const headers of [{ "x-in-process-caller": pay.platformId }, { "countersign-caller": pay.platformId }]) {
      expect((await pay.send("GET", "/customers", { as: "nobody", headers })).status).toBe(401)
    }
  })
})
