/**
 * Records for the operator over HTTP: listed by type, found by an id or a key, and read with their states, links and versions.
 * Source: D-467.
 */
import { Platforms } from "@countersign/core"
import { type RecordDetail, RecordTypeName } from "@countersign/core/models"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { RecordTypes } from "../../../packages/core/src/decision/record/RecordTypes.ts"
import { Kinds } from "../../../packages/core/src/store/Kinds.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"
import { fund, pushTo } from "../../../packages/test/src/harness/TransferCalls.ts"
import { at } from "../customer/CustomerRequests.ts"

interface Listed {
  readonly id: string
  readonly name?: string
  readonly state?: string
}

const list = async (pay: Harness, query: string) => {
  const reply = await pay.send("GET", `/operator/records?${query}`)
  expect([query, reply.status]).toEqual([query, 200])
  return at(reply, "data") as ReadonlyArray<Listed>
}
const found = async (pay: Harness, text: string) =>
  (at(await pay.send("GET", `/operator/find?text=${encodeURIComponent(text)}`), "data") as ReadonlyArray<Listed>).map(
    ({ id }) => id,
  )
const detail = async (pay: Harness, id: string) =>
  (await pay.send("GET", `/operator/records/${id}`)).body as RecordDetail

/** A customer who has paid 400 of 1,000 cents out, which settles at once. */
const paid = async () => {
  const pay = await agentHarness({}, { suffixes: ["000"] })
  await fund(pay, 1000)
  const { id } = await pushTo(pay, "000", { amount: 400 })
  await pay.settle()
  return { pay, transactionId: id }
}

describe("the table of types", () => {
  it("has every type that ids name, and lists only by fields that an index serves", () => {
    expect(RecordTypes.keys.toSorted()).toEqual(RecordTypeName.literals.toSorted())
    for (const [type, { keys, kind, relations, state }] of RecordTypes.entries) {
      const { indexed, parts } = Kinds.get(kind)
      const byRelation = Object.values(relations).flat()
      const unserved = [...keys, ...byRelation].filter((name) => name !== "customerId" && !indexed.includes(name))
      expect([type, unserved]).toEqual([type, []])
      expect([type, state === undefined || Object.hasOwn(parts, state)]).toEqual([type, true])
    }
  })
})

describe("the relations of the types", () => {
  it("name the customer of every record that has one", () => {
    const withoutCustomer = RecordTypes.entries.filter(([, { relations }]) => relations.Customer?.[0] !== "customerId")
    expect(withoutCustomer.map(([type]) => type)).toEqual([
      "Customer",
      "StablecoinProviderAccount",
      "Stablecoin",
      "StablecoinOperation",
    ])
  })

  it("name every record whose id is indexed, but for parts and for accounts that others hold", () => {
    const unnamed = RecordTypes.entries.flatMap(([type, { keys, kind, relations }]) => {
      const named = [...keys, ...Object.values(relations).flat()]
      const ids = Kinds.get(kind).indexed.filter((name) => name.endsWith("Id"))
      return ids.filter((name) => !named.includes(name)).map((name) => `${type} ${name}`)
    })
    expect(unnamed).toEqual(["DelegatedKey fundingSourceId", "StablecoinProviderAccount providerAccountId"])
  })
})

describe("the list of records", () => {
  it("answers every type", async () => {
    const { pay } = await paid()
    await using _ = pay
    const counts = await Promise.all(
      RecordTypeName.literals.map(async (type) => [type, (await list(pay, `type=${type}`)).length] as const),
    )
    expect(counts.filter(([, count]) => count > 0).map(([type]) => type)).toEqual([
      "Customer",
      "InternalAccount",
      "ExternalAccount",
      "Agent",
      "Transaction",
    ])
  })

  it("filters by state and by the record that is named, in pages", async () => {
    const { pay, transactionId } = await paid()
    await using _ = pay
    const { accountId, customerId } = pay
    const ids = async (query: string) => (await list(pay, query)).map(({ id }) => id)
    expect(await ids(`type=Transaction&state=COMPLETED&relatedTo=${accountId}`)).toContain(transactionId)
    expect(await ids("type=Transaction&state=FAILED")).toEqual([])
    expect(await ids(`type=Transaction&relatedTo=${pay.sources["000"]}`)).toEqual([transactionId])
    expect(await ids(`type=InternalAccount&relatedTo=${customerId}`)).toContain(accountId)
    const first = await pay.send("GET", "/operator/records?type=Transaction&limit=1")
    expect(first.body).toMatchObject({ hasMore: true, totalCount: 2 })
    const cursor = String(at(first, "nextCursor"))
    const second = await list(pay, `type=Transaction&limit=1&cursor=${cursor}`)
    expect([at(first, "data", 0, "id"), second[0]?.id]).toEqual(await ids("type=Transaction"))
    const other = await pay.send("GET", `/operator/records?type=Card&limit=1&cursor=${cursor}`)
    expect(other).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
  })

  it("refuses a filter that the type does not have", async () => {
    const { pay, transactionId } = await paid()
    await using _ = pay
    for (const query of [
      "type=Customer&state=APPROVED",
      `type=Customer&relatedTo=${transactionId}`,
      "type=Card&relatedTo=x",
      "type=ApiToken",
      "",
    ]) {
      const reply = await pay.send("GET", `/operator/records?${query}`)
      expect([query, reply.status, at(reply, "code")]).toEqual([query, 400, "INVALID_INPUT"])
    }
  })
})

describe("the search", () => {
  it("finds any record by its id, with or without the type, and by its keys", async () => {
    const { pay, transactionId } = await paid()
    await using _ = pay
    const { customerId } = pay
    const platformCustomerId = String(at(await pay.send("GET", `/customers/${customerId}`), "platformCustomerId"))
    const umaAddress = String(at(await pay.send("GET", `/customers/${customerId}`), "umaAddress"))
    expect(await found(pay, transactionId)).toEqual([transactionId])
    expect(await found(pay, transactionId.slice("Transaction:".length))).toEqual([transactionId])
    expect(await found(pay, platformCustomerId)).toEqual([customerId])
    expect(await found(pay, umaAddress)).toEqual([customerId])
    expect(await found(pay, "nothing like it")).toEqual([])
    expect(await found(pay, `Transaction:${customerId.slice("Customer:".length)}`)).toEqual([])
  })
})

describe("a record", () => {
  it("shows its states with their machines, its links, its resource and its versions", async () => {
    const { pay, transactionId } = await paid()
    await using _ = pay
    const record = await detail(pay, transactionId)
    expect(record).toMatchObject({
      type: "Transaction",
      name: "OUTGOING",
      amount: { amount: 400, currency: { code: "USD", decimals: 2 } },
      state: "COMPLETED",
      states: [{ field: "status", state: "COMPLETED", machine: "OutgoingTransaction" }],
      customerId: pay.customerId,
      resourcePath: `/transactions/${transactionId}`,
    })
    expect(record.links).toContainEqual({ field: "sourceAccountId", id: pay.accountId })
    const states = record.versions.map(({ states: { status } }) => status)
    expect([states[0], states.at(-1)]).toEqual(["PENDING", "COMPLETED"])
    expect((await pay.send("GET", record.resourcePath ?? "")).body).toMatchObject({ id: transactionId })
    const customer = await detail(pay, pay.customerId)
    expect(customer.states).toMatchObject([{ field: "checkStatus", machine: "Kyc" }])
    expect(customer.related).toEqual(expect.arrayContaining(["InternalAccount", "Card", "Agent", "Transaction"]))
  })

  it("has a resource that can be read, for every record of every type", async () => {
    const { pay } = await paid()
    await using _ = pay
    for (const type of RecordTypeName.literals) {
      for (const { id } of await list(pay, `type=${type}`)) {
        const { resourcePath } = await detail(pay, id)
        if (resourcePath === undefined) continue
        const reply = await pay.send("GET", resourcePath)
        expect([resourcePath, reply.status]).toEqual([resourcePath, 200])
        expect(JSON.stringify(reply.body)).toContain(id)
      }
    }
  })

  it("shows nothing about a deleted customer but its states and times", async () => {
    await using pay = await agentHarness()
    const body = { customerType: "INDIVIDUAL", fullName: "Grace Hopper", platformCustomerId: "grace" }
    const id = String(at(await pay.send("POST", "/customers", { body }), "id"))
    expect((await detail(pay, id)).name).toBe("Grace Hopper")
    await pay.send("DELETE", `/customers/${id}`)
    const record = await detail(pay, id)
    expect(record).toMatchObject({ id, isDeleted: true, links: [] })
    expect(Object.keys(record)).not.toContain("resourcePath")
    expect(JSON.stringify(record)).not.toContain("Grace")
  })

  it("does not exist for another platform, and no secret is part of it", async () => {
    const { pay, transactionId } = await paid()
    await using _ = pay
    const credentials = {
      clientId: "other",
      clientSecret: Redacted.make("other-secret"),
      name: "Other",
      currencies: [],
    }
    await pay.run(Platforms.use((platforms) => platforms.setUp(credentials)))
    const headers = { authorization: `Basic ${btoa("other:other-secret")}` }
    const asOther = (path: string) => pay.send("GET", path, { as: "nobody", headers })
    expect((await asOther(`/operator/records/${transactionId}`)).status).toBe(404)
    expect((await asOther(`/operator/find?text=${transactionId}`)).body).toEqual({ data: [] })
    expect(at(await asOther("/operator/records?type=Transaction"), "data")).toEqual([])
    expect((await pay.send("GET", "/operator/records/Platform:1")).status).toBe(404)
    expect((await pay.send("GET", "/operator/records/toString")).status).toBe(404)
    const agent = await detail(pay, pay.agentId)
    expect(JSON.stringify(agent)).not.toMatch(/hash|token/iu)
  })
})
