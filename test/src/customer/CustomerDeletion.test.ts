/**
 * The deletion of a customer: refused while money or open transactions exist, also under concurrency; and the records that end.
 * Source: wire contract 5.11, 11 (22); D-081.
 */
import { Agents, Customers, InternalAccounts, Outcomes } from "@countersign/core"
import { Effect, Exit } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { limitMax } from "../../../packages/core/src/foundation/kit/Page.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { addSource, agentWorld, policy } from "../../../packages/test/src/harness/AgentWorld.ts"
import { quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { attempt, submit } from "../agent/AgentSteps.ts"
import { atFailPoints } from "../agent/AtFailPoints.ts"
import { at, deliveredEventTypes, newPerson, withUmaDomain } from "./CustomerRequests.ts"

const remove = (customerId: string) => Customers.use((customers) => customers.remove(customerId))

describe("a customer without money", () => {
  it("is deleted with all of its records", async () => {
    await using pay = await agentHarness()
    await deliveredEventTypes(pay)
    const path = `/customers/${pay.customerId}`
    const before = await pay.send("GET", path)
    const deleted = await pay.send("DELETE", path)
    expect(deleted).toMatchObject({
      status: 200,
      body: { id: pay.customerId, isDeleted: true, fullName: "Ada Lovelace" },
    })
    expect(before.body).toMatchObject({ isDeleted: false })

    expect(await pay.send("DELETE", path)).toMatchObject({ status: 410, body: { code: "CUSTOMER_DELETED" } })
    expect(await pay.send("GET", path)).toMatchObject({ status: 404, body: { code: "USER_NOT_FOUND" } })
    expect((await pay.send("PATCH", path, { body: { customerType: "INDIVIDUAL" } })).status).toBe(404)

    expect((await pay.send("GET", `/agents/${pay.agentId}`)).status).toBe(404)
    expect((await pay.send("GET", "/agents/me", { as: { token: pay.accessToken } })).status).toBe(401)
    expect((await pay.send("GET", `/customers/external-accounts/${pay.sources["000"]}`)).status).toBe(404)
    const accounts = await pay.send("GET", `/customers/internal-accounts?customerId=${pay.customerId}`)
    const statuses = (at(accounts, "data") as ReadonlyArray<{ readonly status: string }>).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set(["CLOSED"]))
    const events = await deliveredEventTypes(pay)
    for (const change of ["STATUS_UPDATED", "FUNDING_INSTRUCTIONS_UPDATED"]) {
      expect(events.filter((type) => type === `INTERNAL_ACCOUNT.${change}`)).toHaveLength(statuses.length)
    }
    expect(events).toHaveLength(2 * statuses.length)
    const fund = `/sandbox/internal-accounts/${pay.accountId}/fund`
    expect((await pay.send("POST", fund, { body: { amount: 1 } })).status).toBe(404)
    const agent = { name: "x", customerId: pay.customerId, policy: policy() }
    expect((await pay.send("POST", "/agents", { body: agent })).status).toBe(400)
    expect((await pay.send("POST", "/verifications", { body: { customerId: pay.customerId } })).status).toBe(404)
  })

  it("is deleted with more records of a kind than a page has", async () => {
    await using pay = await quoteHarness()
    const ids: Array<string> = []
    for (let index = 0; index <= limitMax; index++) {
      const suffix = `${100 + index}000`
      ids.push(await pay.external("USD", suffix))
    }
    expect((await pay.send("DELETE", `/customers/${pay.customerId}`)).status).toBe(200)
    const path = (id: string | undefined) => `/customers/external-accounts/${id}`
    expect((await pay.send("GET", path(ids[0]))).status).toBe(404)
    expect((await pay.send("GET", path(ids.at(-1)))).status).toBe(404)
  })

  it("releases its unique names", async () => {
    await using pay = await withUmaDomain(agentHarness())
    const names = { platformCustomerId: "ada", umaAddress: "$ada@pay.example.com" }
    const first = await newPerson(pay, names)
    await pay.send("DELETE", `/customers/${first}`)
    expect(await newPerson(pay, names)).not.toBe(first)
  })
})

describe("a customer with money or open transactions", () => {
  it("cannot be deleted, and the response lists the reasons", async () => {
    await using pay = await agentHarness()
    await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body: { amount: 5 } })
    expect(await pay.send("DELETE", `/customers/${pay.customerId}`)).toMatchObject({
      status: 409,
      body: {
        code: "CONFLICT",
        details: {
          reason: "CUSTOMER_IN_USE",
          openTransactions: 0,
          accounts: [{ accountId: pay.accountId, currency: "USD", amount: 5, owed: 0 }],
        },
      },
    })
    expect((await pay.send("GET", `/customers/${pay.customerId}`)).body).toMatchObject({ isDeleted: false })
  })

  it("cannot be deleted while it owes money that has come back after it was spent", async () => {
    await using pay = await quoteHarness()
    const [inside, outside] = [{ accountId: await pay.accountId("USD") }, { accountId: await pay.external("USD") }]
    const pull = await pay.send("POST", "/transfer-in", { body: { source: outside, destination: inside, amount: 700 } })
    await pay.settle()
    await pay.send("POST", "/transfer-out", { body: { source: inside, destination: outside, amount: 700 } })
    await pay.settle()
    await pay.run(Outcomes.use((outcomes) => outcomes.report(String(at(pull, "id")), { _tag: "Returned" })))
    expect(await pay.send("DELETE", `/customers/${pay.customerId}`)).toMatchObject({
      status: 409,
      body: { details: { reason: "CUSTOMER_IN_USE", accounts: [{ ...inside, amount: 0, owed: 700 }] } },
    })
    await pay.fund("USD", 700)
    expect((await pay.send("DELETE", `/customers/${pay.customerId}`)).status).toBe(200)
  })

  it("cannot be deleted until the last transaction has failed", async () => {
    await using pay = await agentHarness({}, { suffixes: ["005"] })
    await submit(pay, 100)
    const path = `/customers/${pay.customerId}`
    expect(await pay.send("DELETE", path)).toMatchObject({ status: 409, body: { details: { openTransactions: 1 } } })
    await pay.clock.advance("40 seconds")
    expect((await pay.send("DELETE", path)).status).toBe(200)
  })
})

const races: ReadonlyArray<readonly [string, (pay: Awaited<ReturnType<typeof agentWorld>>) => Promise<unknown>]> = [
  ["a deposit", (pay) => pay.run(InternalAccounts.use((accounts) => accounts.fund(pay.accountId, 7)))],
  ["a transfer", (pay) => submit(pay, 100)],
]

describe.each(races)("%s between the decision of a deletion and its commit", (_what, open) => {
  it("prevents the deletion", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await agentWorld({}, { failPoints })
    during(["operation.decided", () => open(pay)])
    expect(await pay.run(Effect.flip(remove(pay.customerId)))).toMatchObject({ code: "CONFLICT" })
    expect(allRan()).toBe(true)
  })
})

describe("a deletion between another operation's decision and its commit", () => {
  it("makes a deposit fail", async () => {
    const { failPoints, during } = atFailPoints()
    await using pay = await agentWorld({}, { failPoints })
    during(["operation.decided", () => pay.run(remove(pay.customerId))])
    const funded = InternalAccounts.use((accounts) => accounts.fund(pay.accountId, 7))
    expect(await pay.run(Effect.flip(funded))).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
  })

  it("makes a transfer fail", async () => {
    const { failPoints, during } = atFailPoints()
    await using pay = await agentWorld({}, { failPoints })
    during(["operation.decided", () => pay.run(remove(pay.customerId))])
    expect(await attempt(pay, 100)).toMatchObject({ failure: { code: "FORBIDDEN" } })
  })

  it("makes the creation of an external account or an agent fail", async () => {
    for (const opens of [
      (pay: Awaited<ReturnType<typeof agentWorld>>) => addSource(pay, pay.customerId, "001"),
      (pay: Awaited<ReturnType<typeof agentWorld>>) =>
        pay.run(Agents.use((agents) => agents.create({ name: "x", customerId: pay.customerId, policy: policy() }))),
    ]) {
      const { failPoints, during } = atFailPoints()
      await using pay = await agentWorld({}, { failPoints })
      during(["operation.decided", () => pay.run(remove(pay.customerId))])
      await expect(opens(pay)).rejects.toMatchObject({ code: "INVALID_INPUT" })
    }
  })
})

describe("an agent created during the deletion", () => {
  it("is deleted with the customer", async () => {
    const { failPoints, during } = atFailPoints()
    await using pay = await agentWorld({}, { failPoints })
    let later = ""
    during([
      "operation.decided",
      async () => {
        const made = Agents.use((agents) => agents.create({ name: "x", customerId: pay.customerId, policy: policy() }))
        later = (await pay.run(made)).body.agent.id
      },
    ])
    await pay.run(remove(pay.customerId))
    const found = Agents.use((agents) => agents.get(later))
    expect(await pay.run(Effect.flip(found))).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
  })
})

describe("concurrent deposits, transfers and deletions", () => {
  it("leave no deleted customer with money or an open transaction", async () => {
    const step = fc.constantFrom("fund", "transfer", "remove", "settle")
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), fc.integer(), async (steps, seed) => {
        await using pay = await agentWorld({}, { seed, interleave: seed, suffixes: ["000", "002"] })
        const suffix = seed % 2 === 0 ? "000" : "002"
        const run = (name: string): Promise<unknown> => {
          if (name === "settle") return pay.settle()
          if (name === "transfer") return attempt(pay, 10, { sourceAccountId: pay.sources[suffix] })
          if (name === "remove") return pay.run(Effect.exit(remove(pay.customerId)))
          return pay.run(Effect.exit(InternalAccounts.use((accounts) => accounts.fund(pay.accountId, 10))))
        }
        await Promise.all(steps.map(run))
        await pay.settle()
        const deleted = Exit.isFailure(
          await pay.run(Effect.exit(Customers.use((customers) => customers.get(pay.customerId)))),
        )
        const { data } = await pay.run(
          InternalAccounts.use((accounts) => accounts.list({ customerId: pay.customerId, currency: "USD" })),
        )
        const total = data.reduce((sum, { totalBalance }) => sum + totalBalance.amount, 0)
        const books = (await pay.books()).filter(({ id }) => id.startsWith("unapplied:"))
        expect(books).toEqual([])
        if (deleted) expect(total).toBe(0)
        if (!deleted && total === 0) {
          await pay.clock.advance("1 minute")
          expect(Exit.isSuccess(await pay.run(Effect.exit(remove(pay.customerId))))).toBe(true)
        }
      }),
      { numRuns: Number(process.env["RUNS"] ?? 60) },
    )
  }, 60_000)
})
