/**
 * The directory of exchanges over HTTP: what it lists, and which exchanges a wallet may name as its custodian.
 * Source: wire contract areas 1.7.
 */
import { OwnershipRegions, VaspDirectory } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/index.ts"
import { added, at, customersPath, evm, newCustomer, platformPath } from "./ExternalAccountRequests.ts"

const list = (pay: Harness, query = "") => pay.send("GET", `/vasps${query}`)
const namesOf = (body: unknown) =>
  (at(body, "data") as ReadonlyArray<{ readonly vaspName: string }>).map(({ vaspName }) => vaspName)

const sandboxNames = [
  "Example Exchange",
  "Harbor Digital Assets",
  "Meridian Custody",
  "Northlight Exchange",
  "Sandbox Exchange",
]

const wallet = (vaspName: string, more: object = {}) => {
  const { accountInfo, ...body } = evm()
  return { ...body, accountInfo: { ...accountInfo, vaspName }, ...more }
}

const refused = {
  status: 400,
  body: {
    code: "INVALID_INPUT",
    details: { errors: [{ field: "accountInfo.vaspName", message: "must be exactly a vaspName of GET /vasps" }] },
  },
}

/** A deployment with its own exchanges, in the order in which its source lists them. */
const harnessWith = (...names: ReadonlyArray<string>) => {
  const entries = Effect.succeed(names.map((vaspName) => ({ vaspName })))
  return harness({ ports: Layer.merge(Sandbox.layer, Layer.succeed(VaspDirectory, { entries })) })
}

describe("the directory of exchanges", () => {
  it("lists the sandbox's exchanges by name", async () => {
    await using pay = await harness()
    const { body, status } = await list(pay)
    expect(status).toBe(200)
    expect(namesOf(body)).toEqual(sandboxNames)
    expect(body).toMatchObject({
      data: [
        { vaspName: "Example Exchange", url: "https://example-exchange.sandbox.example" },
        { vaspName: "Harbor Digital Assets", url: "https://harbor-digital-assets.sandbox.example" },
        {},
        {},
        {},
      ],
      hasMore: false,
      totalCount: 5,
    })
    expect(body).not.toHaveProperty("nextCursor")
  })

  it("is paged by name, whatever the order of its source", async () => {
    await using pay = await harnessWith("Zebra", "Alpha", "Mango")
    const first = await list(pay, "?limit=2")
    expect(first.body).toMatchObject({
      data: [{ vaspName: "Alpha" }, { vaspName: "Mango" }],
      hasMore: true,
      totalCount: 3,
    })
    const second = await list(pay, `?limit=2&cursor=${String(at(first.body, "nextCursor"))}`)
    expect(second.body).toEqual({ data: [{ vaspName: "Zebra" }], hasMore: false, totalCount: 3 })
  })

  it.each(["?limit=0", "?limit=101", "?limit=x", "?cursor=x", "?cursor="])("refuses %s", async (query) => {
    await using pay = await harness()
    expect(await list(pay, query)).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
  })

  it("takes no cursor of another list", async () => {
    await using pay = await harness()
    const { body } = await pay.send("GET", "/uma-providers?limit=1&sortOrder=asc")
    expect((await list(pay, `?cursor=${String(at(body, "nextCursor"))}`)).status).toBe(400)
  })

  it("is for platforms only", async () => {
    await using pay = await agentHarness()
    expect(await pay.send("GET", "/vasps", { as: { token: pay.accessToken } })).toMatchObject({
      status: 401,
      body: { code: "UNAUTHORIZED" },
    })
  })
})

describe("a wallet's exchange", () => {
  it.each([customersPath, platformPath])("must be in the directory by its exact name: %s", async (path) => {
    await using pay = await harness()
    for (const name of ["example exchange", "Example Exchange ", "Example", "Unknown"]) {
      expect(await pay.send("POST", path, { body: wallet(name) })).toMatchObject(refused)
    }
    expect(await pay.send("POST", path, { body: wallet("Example Exchange") })).toMatchObject({
      status: 201,
      body: { status: "ACTIVE", accountInfo: { vaspName: "Example Exchange" } },
    })
  })

  it("must be in the directory for an agent's account, too", async () => {
    await using pay = await agentHarness({ permissions: ["MANAGE_EXTERNAL_ACCOUNTS"] })
    const send = (vaspName: string) =>
      pay.send("POST", "/agents/me/external-accounts", { as: { token: pay.accessToken }, body: wallet(vaspName) })
    expect(await send("Nobody's Exchange")).toMatchObject(refused)
    expect(await send("Meridian Custody")).toMatchObject({ status: 201 })
  })

  it("is one that the deployment lists", async () => {
    await using pay = await harnessWith("Our Exchange")
    expect(await pay.send("POST", customersPath, { body: wallet("Example Exchange") })).toMatchObject(refused)
    await added(pay, wallet("Our Exchange"))
  })

  it("cannot be named where the deployment lists none", async () => {
    await using pay = await harnessWith()
    expect(await pay.send("POST", customersPath, { body: wallet("Example Exchange") })).toMatchObject(refused)
    await added(pay, evm())
  })

  it("is reported together with the other problems of the account", async () => {
    await using pay = await harness()
    const body = wallet("Unknown", { customerId: "Customer:00000000-0000-7000-8000-000000000000" })
    const { body: answered } = await pay.send("POST", customersPath, { body })
    expect(at(answered, "details", "errors")).toMatchObject([
      { field: "customerId" },
      { field: "accountInfo.vaspName" },
    ])
  })

  it("makes the wallet custodial: its owner proves nothing and can be asked for no proof", async () => {
    await using pay = await harness({ ports: Layer.merge(Sandbox.layer, Layer.succeed(OwnershipRegions, ["EU"])) })
    const customerId = await newCustomer(pay, { region: "EU" })
    const id = await added(pay, wallet("Sandbox Exchange", { customerId, ownershipType: "FIRST_PARTY" }))
    expect(await pay.send("GET", `${customersPath}/${id}`)).toMatchObject({ body: { status: "ACTIVE" } })
    const asked = await pay.send("POST", `${customersPath}/${id}/challenge`, { body: { method: "WALLET_SIGNATURE" } })
    expect(asked).toMatchObject({ status: 409, body: { details: { reason: "NOT_A_SELF_CUSTODY_WALLET" } } })
  })
})
