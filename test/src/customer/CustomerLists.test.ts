/**
 * The list of customers over HTTP: filters, pages and counts.
 * Source: wire contract 5.8.
 */
import { describe, expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { at, newBusiness, newOwner, newPerson, withUmaDomain } from "./CustomerRequests.ts"

describe("the list of customers", () => {
  it("filters, pages, and counts", async () => {
    await using pay = await withUmaDomain(harness())
    const ids: Array<string> = []
    for (const body of [
      { platformCustomerId: "a", region: "GB", currencies: ["USD"] },
      { platformCustomerId: "b", region: "US", currencies: ["USD", "EUR"], umaAddress: "$b@pay.example.com" },
      { platformCustomerId: "c", region: "GB", currencies: ["EUR"] },
    ]) {
      ids.push(await newPerson(pay, body))
      await pay.clock.advance("1 minute")
    }
    const business = await newBusiness(pay)
    const [a = "", b = "", c = ""] = ids
    const found = async (query: string) => {
      const reply = await pay.send("GET", `/customers?${query}`)
      expect(reply.status).toBe(200)
      const data = at(reply, "data") as ReadonlyArray<{ readonly id: string }>
      expect(at(reply, "totalCount")).toBe(data.length)
      return data.map(({ id }) => id)
    }
    expect(await found("")).toEqual([business, c, b, a])
    expect(await found("customerType=BUSINESS")).toEqual([business])
    expect(await found("platformCustomerId=b")).toEqual([b])
    expect(await found("platformCustomerId=B")).toEqual([])
    expect(await found("region=GB")).toEqual([c, a])
    expect(await found("currency=EUR&customerType=INDIVIDUAL")).toEqual([c, b])
    expect(await found("currency=PKR")).toEqual([])
    expect(await found("umaAddress=%24b%40pay.example.com")).toEqual([b])
    expect(await found("createdAfter=2026-11-21T12:01:00Z&createdBefore=2026-11-21T12:02:00Z")).toEqual([c, b])
    await pay.send("PATCH", `/customers/${a}`, { body: { customerType: "INDIVIDUAL", fullName: "Later" } })
    expect(await found("updatedAfter=2026-11-21T12:03:00Z")).toEqual([business, a])
    expect(await found("updatedBefore=2026-11-21T12:01:30Z")).toEqual([b])
    await pay.send("DELETE", `/customers/${c}`)
    expect(await found("region=GB")).toEqual([a])
    expect(await found("region=GB&isIncludingDeleted=true")).toEqual([c, a])

    const first = await pay.send("GET", "/customers?limit=2")
    expect(first.body).toMatchObject({ hasMore: true, totalCount: 3 })
    const cursor = encodeURIComponent(String(at(first, "nextCursor")))
    const second = await pay.send("GET", `/customers?limit=2&cursor=${cursor}`)
    expect(second.body).toMatchObject({ hasMore: false, data: [{ id: a }] })
    expect((await pay.send("GET", `/customers?limit=2&region=GB&cursor=${cursor}`)).status).toBe(400)
    await pay.clock.advance("1 minute")
    const other = await newBusiness(pay, "777")
    const owners = [[await newOwner(pay, business)], [await newOwner(pay, other), await newOwner(pay, other)]]
    const businesses = at(await pay.send("GET", "/customers?customerType=BUSINESS"), "data")
    expect(businesses).toMatchObject(
      owners.toReversed().map((ids) => ({ beneficialOwners: ids.map((id) => ({ id })) })),
    )
    expect((await pay.send("GET", "/customers?limit=0&customerType=x&currency=usd")).body).toMatchObject({
      details: { errors: [{ field: "customerType" }, { field: "currency" }, { field: "limit" }] },
    })
  })
})
