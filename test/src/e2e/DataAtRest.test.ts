/**
 * Data at rest: after the whole flow, no table and no file contains a secret in clear.
 * Source: wire contract 1.5, 11 (11, 12); D-006, D-016.
 */
import { randomUUID } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Secrets } from "@countersign/core"
import { describe, expect, it } from "vitest"
import { basic, client } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { clear, contents, dump } from "./Dump.ts"
import { held, newAgent, newCustomer, newSource, transfer } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { receiver } from "./Receiver.ts"
import { newDatabase } from "./ServerDatabase.ts"
import { startServer } from "./ServerProcess.ts"

const secondSecret = "secret-of-the-second-platform"

/** Official identification numbers, of which only the last characters may be stored. */
const numbers = { person: "918273645", business: "192837465", owner: "564738291" }

interface Found {
  /** Texts that must not occur. */
  readonly secrets: Readonly<Record<string, string>>
  /** Texts that must occur, which proves that the search works. */
  readonly known: ReadonlyArray<string>
}

/** Uses all credentials of the service, valid and invalid; the server has stopped afterwards. */
const flow = async (options: ReadonlyArray<string>): Promise<Found> => {
  await using hooks = await receiver()
  await using server = await startServer({ options: [...options, "--platform", `second:${secondSecret}`] })
  const clientId = server.printed("client id") ?? ""
  const clientSecret = server.printed("client secret")?.split(" ")[0] ?? ""
  const { base } = server
  const platform = client(base, basic(clientId, clientSecret))
  await platform("PATCH", "/config", { body: { webhookEndpoint: hooks.url } })
  const customer = await newCustomer(platform)
  const source = await newSource(platform, customer)
  await platform("PATCH", `/customers/${customer.customerId}`, {
    body: { customerType: "INDIVIDUAL", idType: "SSN", identifier: numbers.person },
  })
  const businessInfo = { legalName: "x", country: "US", taxId: numbers.business, incorporatedOn: "2014-03-01" }
  const business = await platform("POST", "/customers", { body: { customerType: "BUSINESS", businessInfo } })
  const personalInfo = {
    firstName: "Charles",
    lastName: "Babbage",
    birthDate: "1971-12-26",
    nationality: "GB",
    address: { line1: "1 Main St", postalCode: "12345", country: "US" },
    idType: "SSN",
    identifier: numbers.owner,
  }
  await platform("POST", "/beneficial-owners", {
    body: { customerId: business.body["id"], roles: ["UBO"], ownershipPercentage: 100, personalInfo },
  })
  await platform("POST", "/verifications", { body: { customerId: business.body["id"] } })
  const token = await platform("POST", "/tokens", { body: { name: "Reporting", permissions: ["VIEW"] } })
  const agent = await newAgent(base, platform, customer, { approvalThresholds: { currency: "USD", amount: 1000 } })
  const replaced = await newAgent(base, platform, customer)
  const unredeemed = await platform("POST", "/agents", {
    body: {
      name: "Later",
      customerId: customer.customerId,
      policy: {
        permissions: ["VIEW_TRANSACTIONS"],
        defaultExecutionMode: "AUTO",
        spendingLimits: { currency: "USD", perTransactionLimit: 1 },
      },
    },
  })
  const { code } = unredeemed.body["deviceCode"] as { readonly code: string }
  const keys = [randomUUID(), randomUUID()]
  const [executed = "", refused = ""] = keys
  for (const [key, amount] of [
    [executed, 100],
    [executed, 100],
    [refused, 60_000],
  ] as const) {
    const body = transfer(source, customer, amount)
    await agent.send("POST", "/agents/me/transfer-in", { body, headers: { "Idempotency-Key": key } })
  }
  const actionId = await held(agent, transfer(source, customer, 2000))
  await platform("POST", `/agents/${agent.agentId}/actions/${actionId}/approve`)
  await client(base, basic(clientId, `${clientSecret}-wrong`))("GET", "/config")
  await client(base)("POST", `/agents/device-codes/${agent.deviceCode}/redeem`)
  await platform("DELETE", `/agents/${replaced.agentId}`)
  await eventually(
    "the events of both transfers",
    () => hooks.ofType("INCOMING_PAYMENT.COMPLETED").length,
    (count) => count === 2,
  )
  server.terminate()
  expect(await server.exited).toEqual({ code: 0, signal: null })
  return {
    secrets: {
      "the client secret": clientSecret,
      "another platform's secret": secondSecret,
      "a token's secret": String(token.body["clientSecret"]),
      "a person's number": numbers.person,
      "a business's number": numbers.business,
      "an owner's number": numbers.owner,
      "the agent's token": agent.token,
      "a deleted agent's token": replaced.token,
      "a redeemed device code": agent.deviceCode,
      "an open device code": code,
      "the key of an executed request": executed,
      "the key of a refused request": refused,
      "a private key": "PRIVATE KEY",
      "the credentials as sent": basic(clientId, clientSecret).replace("Basic ", ""),
    },
    known: [
      customer.customerId,
      agent.agentId,
      actionId,
      masked(numbers.owner),
      Secrets.hash(agent.token),
      Secrets.hash(clientSecret),
    ],
  }
}

/** The stored end of a number. */
const masked = (number: string): string => `****${number.slice(-4)}`

describe("data at rest", { timeout: 120_000 }, () => {
  it("stores no secret in clear in the tables", async () => {
    await using database = await newDatabase()
    const found = await flow(database.options)
    const text = await dump(database)
    expect(found.known.filter((known) => !text.includes(known))).toEqual([])
    expect(Object.values(found.secrets).filter((secret) => secret.length < 8)).toEqual([])
    expect(clear(text, Object.entries(found.secrets))).toEqual([])
  })

  it("stores no secret in clear in a folder, except the webhook key and the wallet secret in their own files", async () => {
    await using folder = await newFolder()
    const found = await flow(["--store", `pglite:${folder.path}`])
    expect((await readdir(folder.path)).toSorted()).toEqual([
      ".gitignore",
      "data",
      "server.json",
      "wallet-secret",
      "webhook-key.pem",
    ])
    const text = await contents(join(folder.path, "data"))
    expect(text).not.toContain(await readFile(join(folder.path, "wallet-secret"), "utf8"))
    expect(found.known.filter((known) => !text.includes(known))).toEqual([])
    expect(clear(text, Object.entries(found.secrets))).toEqual([])
    expect(clear(await contents(folder.path), Object.entries(found.secrets))).toEqual(["a private key"])
  })

  it("finds a secret that is stored in clear", async () => {
    await using database = await newDatabase()
    await database.pool.query("create table public.careless as select 'its-secret-in-clear' as secret")
    expect(clear(await dump(database), [["planted", "its-secret-in-clear"]])).toEqual(["planted"])
  })
})
