/** What mints and burns tie: customers, accounts, permissions and the audit. Source: wire contract areas 1.1 and 1.6.8; D-392. */
import { ApiTokens } from "@countersign/core"
import type { TokenPermission } from "@countersign/core/models"
import type { FailPoint } from "@countersign/core/verify"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { addCustomer } from "../../../packages/test/src/harness/AgentWorld.ts"
import { at } from "../customer/CustomerRequests.ts"
import {
  bank,
  burn,
  burnBody,
  codeOf,
  credentials,
  idOf,
  link,
  mint,
  mintBody,
  newKey,
  operation,
  register,
  stablecoin,
  stablecoinWorld,
  token,
  wallet,
} from "./StablecoinWorld.ts"

describe("an open operation", () => {
  it("blocks the deletion of every customer whose account it uses, until it ends", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const { customerId: payer } = await addCustomer(pay)
    const { customerId: other } = await addCustomer(pay)
    const from = await bank(pay, "100", payer)
    const fundingSource = { type: "ACH_DEBIT", externalAccountId: from }
    await mint(pay, coin, mintBody(await wallet(pay), fundingSource))
    for (const id of [payer, pay.customerId]) {
      const refused = await pay.send("DELETE", `/customers/${id}`)
      expect(codeOf(refused)).toEqual([409, "CONFLICT", "CUSTOMER_IN_USE"])
      expect(at(refused, "details", "openTransactions")).toBe(1)
    }
    expect((await pay.send("DELETE", `/customers/${other}`)).status).toBe(200)
    await pay.clock.advance("3 seconds")
    expect((await pay.send("DELETE", `/customers/${payer}`)).status).toBe(200)
    expect((await pay.send("DELETE", `/customers/${pay.customerId}`)).status).toBe(200)
  })

  it("blocks the deletion once, if both accounts are the customer's, and not at all if it was not begun", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const fundingSource = { type: "ACH_DEBIT", externalAccountId: await bank(pay) }
    expect((await mint(pay, coin, mintBody(await wallet(pay, "007")))).status).toBe(503)
    await mint(pay, coin, mintBody(await wallet(pay), fundingSource))
    const refused = await pay.send("DELETE", `/customers/${pay.customerId}`)
    expect(at(refused, "details", "openTransactions")).toBe(1)
    await pay.clock.advance("3 seconds")
    expect((await pay.send("DELETE", `/customers/${pay.customerId}`)).status).toBe(200)
  })

  it("continues with its copy when its account is deleted", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const to = await bank(pay, "003")
    const id = idOf(await burn(pay, coin, burnBody(to)))
    expect((await pay.send("DELETE", `/customers/external-accounts/${to}`)).status).toBe(204)
    await pay.clock.advance("3 seconds")
    // The suffix of the account's number still decides.
    expect((await operation(pay, id)).body).toMatchObject({
      status: "FAILED",
      failureReason: "DESTINATION_REJECTED",
      destination: { accountId: to },
    })
  })

  it("is not begun for an account that is deleted while the request is decided", async () => {
    let isDeciding = false
    let remove: () => Promise<unknown> = async () => undefined
    const failPoints = (point: FailPoint) =>
      Effect.suspend(() => {
        if (point !== "operation.decided" || !isDeciding) return Effect.void
        isDeciding = false
        return Effect.promise(remove)
      })
    await using pay = await stablecoinWorld({ failPoints })
    const coin = await stablecoin(pay)
    const to = await wallet(pay)
    remove = () => pay.send("DELETE", `/customers/external-accounts/${to}`)
    isDeciding = true
    expect(codeOf(await mint(pay, coin, mintBody(to)))).toEqual([404, "REFERENCE_NOT_FOUND", undefined])
  })

  it("may use an account of the platform", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const address = "spark1pgssy75lcn5suv6c0k3v0mq3xedcpfw2au2rjh5r4rxly9euvxr2h584rg25202"
    const body = { currency: "BTC", accountInfo: { accountType: "SPARK_WALLET", address } }
    const own = idOf(await pay.send("POST", "/platform/external-accounts", { body }))
    expect((await mint(pay, coin, mintBody(own))).status).toBe(201)
    expect((await pay.send("DELETE", `/customers/${pay.customerId}`)).status).toBe(200)
  })
})

describe("an API token", () => {
  it.each<[TokenPermission, ReadonlyArray<number>]>([
    ["VIEW", [403, 403, 403, 403, 200, 200, 200]],
    ["MANAGE", [201, 201, 403, 403, 403, 403, 403]],
    ["TRANSACT", [403, 403, 201, 201, 403, 403, 403]],
  ])("with %s alone may do its part", async (permission, statuses) => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const made = await pay.run(ApiTokens.use((all) => all.create({ name: "One", permissions: [permission] })))
    const authorization = `Basic ${btoa(`${made.body.clientId}:${made.body.clientSecret ?? ""}`)}`
    const to = await wallet(pay)
    const from = await bank(pay)
    const send = async (method: string, path: string, body?: object) => {
      const headers = { authorization, "idempotency-key": newKey() }
      return (await pay.send(method, path, { as: "nobody", headers, ...(body === undefined ? {} : { body }) })).status
    }
    const linked = at(await pay.send("GET", "/stablecoin-provider-accounts"), "data", 0, "id")
    expect([
      await send("POST", "/stablecoin-provider-accounts", credentials("client_101")),
      await send("POST", "/stablecoins", token("NEW", { stablecoinProviderAccountId: linked })),
      await send("POST", `/stablecoins/${coin}/mints`, mintBody(to)),
      await send("POST", `/stablecoins/${coin}/burns`, burnBody(from)),
      await send("GET", "/stablecoins"),
      await send("GET", `/stablecoins/${coin}/operations`),
      await send("GET", "/stablecoin-provider-accounts"),
    ]).toEqual(statuses)
  })
})

describe("the audit", () => {
  it("has every change with ids and amounts, and no account numbers", async () => {
    await using pay = await stablecoinWorld()
    const linked = idOf(await link(pay, "provider_client_100"))
    await pay.clock.advance(1)
    const coin = idOf(await register(pay))
    const to = await wallet(pay)
    await pay.clock.advance(1)
    const made = await mint(pay, coin, mintBody(to, { type: "WIRE" }, { description: "Secret project" }))
    await pay.clock.advance("3 seconds")
    const reply = await pay.send("GET", "/audit-records?limit=100")
    const data = at(reply, "data") as ReadonlyArray<{
      readonly operation: string
      readonly target: string
      readonly createdAt: string
    }>
    // Of one instant: the request and its first status.
    const records = data
      .filter(({ operation: name }) => name.startsWith("STABLECOIN"))
      .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.operation.localeCompare(b.operation))
    const status = (value: string) => ({ details: { status: value, stablecoinId: coin, amount: "1000000" } })
    expect(records).toMatchObject([
      { operation: "STABLECOIN_PROVIDER_LINK", target: linked, details: { provider: "BRALE" } },
      { operation: "STABLECOIN_REGISTER", target: coin, details: { issuanceStatus: "PROVISIONED" } },
      {
        operation: "STABLECOIN_MINT",
        target: idOf(made),
        actor: { type: "PLATFORM" },
        details: { stablecoinId: coin, amount: "1000000", sourceType: "WIRE", destinationAccountId: to },
      },
      { operation: "STABLECOIN_OPERATION_STATUS", ...status("PENDING_FUNDING") },
      { operation: "STABLECOIN_OPERATION_STATUS", actor: { type: "SERVICE" }, ...status("PROCESSING") },
      { operation: "STABLECOIN_OPERATION_STATUS", ...status("COMPLETED") },
    ])
    const text = JSON.stringify(records)
    for (const hidden of ["provider_secret", "spark1", "Secret project"]) expect(text).not.toContain(hidden)
  })
})
