/**
 * The scope of an idempotency key: its caller, the method and the path with its ids. One key at two records is two requests.
 * Source: wire contract 0.4 and 11 (1).
 */
import { Api, endpointsOf } from "@countersign/client/api"
import { describe, expect, it } from "vitest"
import { keyed } from "../../../packages/adapter-http/src/middleware/Idempotency.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { at, between, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"

const headers = { "idempotency-key": "one key" }

describe("one idempotency key", () => {
  it("executes each of two quotes, and answers each with its own", async () => {
    await using pay = await quoteHarness()
    await pay.fund("USD", 10_000)
    const body = between(await pay.accountId("USD"), await pay.external("MXN"), 1000)
    const quotes = [await pay.quote(body), await pay.quote(body)].map((quote) => String(at(quote, "id")))
    for (const id of [...quotes, ...quotes]) {
      const executed = await pay.send("POST", `/quotes/${id}/execute`, { headers })
      expect([executed.status, at(executed, "id")]).toEqual([200, id])
    }
    expect(await pay.balances("USD")).toEqual([8000, 8000])
  })

  it("executes each of two quotes of an agent", async () => {
    await using pay = await agentHarness({ permissions: ["CREATE_QUOTES", "EXECUTE_QUOTES"] })
    await pay.send("POST", `/sandbox/internal-accounts/${pay.accountId}/fund`, { body: { amount: 10_000 } })
    const as = { token: pay.accessToken }
    const body = between(pay.accountId, pay.sources["000"] ?? "", 1000)
    const create = async () => String(at(await pay.send("POST", "/agents/me/quotes", { as, body }), "id"))
    for (const id of [await create(), await create()]) {
      const executed = await pay.send("POST", `/agents/me/quotes/${id}/execute`, { as, headers })
      expect([executed.status, at(executed, "quote", "id")]).toEqual([200, id])
    }
  })

  it("is another key for each id in the path of every operation", () => {
    const named = endpointsOf(Api).filter(({ endpoint }) => endpoint.path.includes(":"))
    expect(named.length).toBeGreaterThan(50)
    for (const { endpoint } of named) {
      const names = [...endpoint.path.matchAll(/:(\w+)/gu)].map(([, name = ""]) => name)
      const scopeOf = (changed?: string) => {
        const params = Object.fromEntries(names.map((name) => [name, name === changed ? "second" : "first"]))
        return keyed({ endpoint, params, headers })?.path
      }
      for (const name of names) expect([endpoint.path, scopeOf(name)]).not.toEqual([endpoint.path, scopeOf()])
    }
  })
})
