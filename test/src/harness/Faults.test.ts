/** Injected faults: the specified body, on one route, a given number of times, and responses that are lost after the work was done. */

import { ApiError } from "@countersign/client"
import { ErrorCodes } from "@countersign/core/models"
import { agentHarness, harness } from "@countersign/test"
import { describe, expect, it } from "vitest"

const customer = { body: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" } }

describe("faults", () => {
  it.each(ErrorCodes.keys)("responds with %s once, with its status and body", async (code) => {
    await using pay = await harness({ tape: false })
    pay.failNext(code)
    const failed = await pay.send("POST", "/customers", customer)
    expect(failed).toMatchObject({ status: ErrorCodes.rows[code].status, body: { code, status: failed.status } })
    expect((await pay.send("GET", "/customers")).body).toMatchObject({ totalCount: 0 })
  })

  it("applies a fault to its route only, and counts each use", async () => {
    await using pay = await harness()
    pay.faults.add({ route: "GET /customers/*", kind: "SERVICE_UNAVAILABLE", times: 2 })
    const { body } = await pay.send("POST", "/customers", customer)
    const { id } = body as { readonly id: string }
    const statuses = []
    for (let times = 0; times < 3; times++) statuses.push((await pay.send("GET", `/customers/${id}?x=1`)).status)
    expect(statuses).toEqual([503, 503, 200])
    expect(pay.faults.list()).toEqual([
      { rule: { route: "GET /customers/*", kind: "SERVICE_UNAVAILABLE", times: 2 }, met: 2 },
    ])
  })

  it("sends Retry-After for the codes for which the service sends it", async () => {
    await using pay = await harness()
    pay.failNext("RATE_LIMITED")
    expect((await pay.send("GET", "/customers")).headers.get("retry-after")).toBe("1")
    pay.failNext("INVALID_INPUT")
    expect((await pay.send("GET", "/customers")).headers.get("retry-after")).toBeNull()
  })

  it("reaches the typed client as a `CallRefused`", async () => {
    await using pay = await harness()
    pay.failNext("RATE_LIMITED", "GET /customers")
    const refused = await pay.client.customers.listCustomers({ query: {} }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({ status: 429, code: "RATE_LIMITED" })
    expect((await pay.client.customers.listCustomers({ query: {} })).data).toEqual([])
  })

  it("loses the response of a committed operation; the same key returns it", async () => {
    await using pay = await agentHarness()
    const keyed = {
      as: { token: pay.accessToken },
      headers: { "idempotency-key": "one" },
      body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 100 },
    }
    pay.faults.add({ kind: "lost answer", route: "POST /agents/me/transfer-in" })
    await expect(pay.send("POST", "/agents/me/transfer-in", keyed)).rejects.toThrow("fetch failed")
    expect((await pay.send("POST", "/agents/me/transfer-in", keyed)).status).toBe(201)
    expect((await pay.send("GET", "/transactions")).body).toMatchObject({ totalCount: 1 })
  })

  it("commits nothing for a request that does not arrive", async () => {
    await using pay = await harness()
    pay.faults.add({ kind: "unreachable" })
    await expect(pay.send("POST", "/customers", customer)).rejects.toThrow("fetch failed")
    expect((await pay.send("GET", "/customers")).body).toMatchObject({ totalCount: 0 })
  })

  it("rejects a route and a fault that do not exist", async () => {
    await using pay = await harness()
    const unknownRoutes = ["/customers", "GET /custmers", "PUT /customers", "GET /customers/a/b"]
    for (const route of unknownRoutes) {
      expect(() => pay.faults.add({ route, kind: "unreachable" })).toThrow(`unknown route ${route}: `)
    }
    // A caller in JavaScript may pass any string.
    expect(() => Reflect.apply(pay.failNext, undefined, ["NO_SUCH_CODE"])).toThrow(
      "unknown fault NO_SUCH_CODE; known: ",
    )
    expect(pay.faults.list()).toEqual([])
  })
})
