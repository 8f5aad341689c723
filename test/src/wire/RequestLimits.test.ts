/** Every text, list and object in a request has a maximum, so that a new field cannot be unbounded. Source: D-311. */
import { describe, expect, it } from "vitest"
import { largestBody, requestLimits } from "./RequestLimits.ts"

describe("the schemas of requests", () => {
  it("have a maximum for every text, list and free object", () => {
    const limits = requestLimits()
    expect(limits.length).toBeGreaterThan(500)
    const unbounded = limits.filter(({ max }) => max === undefined)
    expect([...new Set(unbounded.map(({ operation, path }) => `${operation} ${path}`))]).toEqual([])
  })

  it("include texts in each part of a request, items of lists and members of unions", () => {
    const limits = requestLimits()
    expect(limits).toEqual(
      expect.arrayContaining([
        {
          operation: "agents.updateAgentPolicy",
          path: "body.accountRestrictions.accountRules",
          unit: "items",
          max: 200,
        },
        {
          operation: "agents.updateAgentPolicy",
          path: "body.accountRestrictions.accountRules[].accountId",
          unit: "characters",
          max: 128,
        },
        { operation: "agentsMe.agentCreateTransferIn", path: "headers.idempotency-key", unit: "characters", max: 255 },
        { operation: "agents.listAgents", path: "query.cursor", unit: "characters", max: 1024 },
        { operation: "agents.getAgentById", path: "params.agentId", unit: "characters", max: 512 },
        { operation: "quotes.createQuote", path: "body.senderCustomerInfo", unit: "characters of JSON", max: 16_384 },
      ]),
    )
  })

  it("allow fewer values than a body may have", () => {
    const { limit, values } = largestBody()
    expect(values).toBeGreaterThan(500)
    expect(values).toBeLessThan(limit)
  })
})
