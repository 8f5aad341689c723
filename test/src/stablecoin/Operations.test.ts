/** Mints and burns over HTTP, in the sandbox. Source: wire contract areas 1.6.4 to 1.6.9. */

import { StablecoinOperations } from "@countersign/core"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { serviceNames } from "../names/ServiceNames.ts"
import {
  bank,
  burn,
  burnBody,
  codeOf,
  idOf,
  link,
  mint,
  mintBody,
  newKey,
  operation,
  register,
  stablecoin,
  stablecoinWorld,
  statusOf,
  wallet,
} from "./StablecoinWorld.ts"

const ach = (externalAccountId: string, type = "ACH_DEBIT") => ({ type, externalAccountId })
const unknownAccount = "ExternalAccount:01a1fdfa-4600-7000-8000-00000000ffff"

describe("a mint", () => {
  it.each(serviceNames)(
    "by wire waits for the money, is processed and completes, at the service %s",
    async (serviceName) => {
      await using pay = await stablecoinWorld({ serviceName })
      const coin = await stablecoin(pay)
      const to = await wallet(pay)
      const made = await mint(pay, coin, mintBody(to, { type: "WIRE", externalAccountId: 7 }, { description: "First" }))
      expect(made.status).toBe(201)
      expect(made.body).toEqual({
        id: expect.stringMatching(/^StablecoinOperation:/u),
        stablecoinId: coin,
        operationType: "MINT",
        status: "PENDING_FUNDING",
        amount: "1000000",
        provider: "BRALE",
        providerEnvironment: "SANDBOX",
        stablecoinProviderAccountId: expect.stringMatching(/^StablecoinProviderAccount:/u),
        source: { type: "WIRE" },
        fundingInstructions: {
          rail: "WIRE",
          beneficiaryName: expect.any(String),
          accountNumber: expect.any(String),
          routingNumber: expect.any(String),
          bankName: expect.any(String),
          reference: expect.any(String),
        },
        destination: { accountId: to },
        expiresAt: "2026-11-28T12:00:00Z",
        providerStatus: "pending",
        description: "First",
        createdAt: "2026-11-21T12:00:00Z",
        updatedAt: "2026-11-21T12:00:00Z",
      })
      const id = idOf(made)
      await pay.clock.advance("1 second")
      expect(await statusOf(pay, id)).toBe("PENDING_FUNDING")
      await pay.clock.advance("1 second")
      expect(await statusOf(pay, id)).toBe("PROCESSING")
      await pay.clock.advance("1 second")
      const done = await operation(pay, id)
      expect(done.body).toMatchObject({
        status: "COMPLETED",
        providerStatus: "complete",
        updatedAt: "2026-11-21T12:00:03Z",
      })
      expect(done.body).toHaveProperty("fundingInstructions")
      expect(done.body).not.toHaveProperty("expiresAt")
      expect(done.body).not.toHaveProperty("failureReason")
    },
  )

  it.each(["ACH_DEBIT", "SAME_DAY_ACH_DEBIT"])("by %s is begun by the provider", async (type) => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const from = await bank(pay)
    const made = await mint(pay, coin, mintBody(await wallet(pay), ach(from, type)))
    expect(made.body).toMatchObject({ status: "PENDING_PROVIDER", source: { type, externalAccountId: from } })
    expect(made.body).not.toHaveProperty("fundingInstructions")
    expect(made.body).not.toHaveProperty("expiresAt")
    await pay.clock.advance("2 seconds")
    expect(await statusOf(pay, idOf(made))).toBe("PROCESSING")
    await pay.clock.advance("1 second")
    expect(await statusOf(pay, idOf(made))).toBe("COMPLETED")
  })

  it.each([
    ["002", "FUNDING_RETURNED", 3],
    ["003", "DESTINATION_REJECTED", 3],
    ["004", "PROVIDER_TRANSFER_FAILED", 3],
    ["005", "PROVIDER_TRANSFER_FAILED", 32],
  ])("fails by the suffix %s of the account that pays or is paid", async (suffix, failureReason, seconds) => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const failing = await wallet(pay, suffix)
    const bodies = [
      mintBody(failing),
      mintBody(await wallet(pay), ach(await bank(pay, suffix))),
      // The account that pays decides.
      mintBody(failing, ach(await bank(pay, "100"))),
    ]
    const ids: Array<string> = []
    for (const body of bodies) ids.push(idOf(await mint(pay, coin, body)))
    await pay.clock.advance(`${seconds - 1} seconds`)
    expect(await Promise.all(ids.slice(0, 2).map((id) => statusOf(pay, id)))).toEqual(["PROCESSING", "PROCESSING"])
    await pay.clock.advance("1 second")
    const replies = await Promise.all(ids.map((id) => operation(pay, id)))
    expect(replies[0]?.body).toMatchObject({ status: "FAILED", failureReason })
    expect(replies[1]?.body).toMatchObject({ status: "FAILED", failureReason })
    expect(replies[2]?.body).toMatchObject({ status: "COMPLETED" })
  })

  it("that nobody funds is expired as soon as its time is over, before and after a job stores it", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const id = idOf(await mint(pay, coin, mintBody(await wallet(pay, "006"))))
    const week = 7 * 24 * 60 * 60 * 1000
    await pay.clock.advance(week - 1)
    expect(await statusOf(pay, id)).toBe("PENDING_FUNDING")
    await pay.clock.advance(1)
    const expired = await operation(pay, id)
    expect(expired.body).toMatchObject({ status: "EXPIRED" })
    expect(expired.body).not.toHaveProperty("failureReason")
  })

  it("reads expired although no job has run", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const id = idOf(await mint(pay, coin, mintBody(await wallet(pay, "006"))))
    await pay.run(TestClock.adjust("7 days"))
    expect(await statusOf(pay, id)).toBe("EXPIRED")
    const listed = await pay.send("GET", `/stablecoins/${coin}/operations`)
    expect(listed.body).toMatchObject({ data: [{ id, status: "EXPIRED" }] })
    // A report that comes late changes nothing.
    await pay.run(StablecoinOperations.use((all) => all.report(id, { _tag: "Completed" })))
    expect(await statusOf(pay, id)).toBe("EXPIRED")
  })

  it("is replayed with its first answer for seven days", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const body = mintBody(await wallet(pay))
    const first = await mint(pay, coin, body, "key")
    await pay.clock.advance("167 hours")
    const again = await mint(pay, coin, body, "key")
    expect([again.status, again.body, again.headers.get("idempotency-replayed")]).toEqual([201, first.body, "true"])
    await pay.clock.advance("2 hours")
    expect(idOf(await mint(pay, coin, body, "key"))).not.toBe(idOf(first))
  })

  it("is refused where the provider does not answer, and its key stays free", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const key = newKey()
    const down = mintBody(await wallet(pay, "007"))
    const first = await mint(pay, coin, down, key)
    expect(codeOf(first)).toEqual([503, "SERVICE_UNAVAILABLE", "STABLECOIN_PROVIDER_UNAVAILABLE"])
    expect(Number(first.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await mint(pay, coin, down, key)).status).toBe(503)
    const other = await mint(pay, coin, mintBody(await wallet(pay)), key)
    expect(other.status).toBe(201)
    const listed = await pay.send("GET", `/stablecoins/${coin}/operations`)
    expect(listed.body).toMatchObject({ totalCount: 1, data: [{ id: idOf(other) }] })
  })

  it("is refused with the first reason that applies", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const pending = idOf(await register(pay, "WAIT001"))
    const to = await wallet(pay)
    const from = await bank(pay)
    const refused = async (body: object, id = coin) => codeOf(await mint(pay, id, body))
    const internal = "InternalAccount:01a1fdfa-4600-7000-8000-000000000000"
    const reserved = [
      { type: "SERVICE_INTERNAL_ACCOUNT", accountId: internal },
      { type: "PROVIDER_INTERNAL_BALANCE", sourceTokenIdentifier: "USDC", cryptoNetwork: "SOLANA" },
    ]
    for (const source of reserved) {
      expect(await refused(mintBody(to, source))).toEqual([400, "INVALID_INPUT", "FUNDING_SOURCE_RESERVED"])
    }
    expect(await refused(mintBody(internal))).toEqual([400, "INVALID_INPUT", "DESTINATION_NOT_SUPPORTED"])
    for (const amount of ["0", "1", "9999", "10001", "90071992547409920000", `1${"0".repeat(60)}`]) {
      expect(await refused(mintBody(to, { type: "WIRE" }, { amount })), amount).toEqual([
        400,
        "INVALID_AMOUNT",
        undefined,
      ])
    }
    for (const amount of ["", "-1", "1.5", "1e6", 1_000_000, "1".repeat(65)]) {
      expect(await refused(mintBody(to, { type: "WIRE" }, { amount })), String(amount)).toEqual([
        400,
        "INVALID_INPUT",
        undefined,
      ])
    }
    expect(await refused(mintBody(unknownAccount))).toEqual([404, "REFERENCE_NOT_FOUND", undefined])
    expect(await refused(mintBody(to, ach(unknownAccount)))).toEqual([404, "REFERENCE_NOT_FOUND", undefined])
    expect(await refused(mintBody(from))).toEqual([400, "INVALID_BANK_ACCOUNT", "DESTINATION_TYPE_NOT_SUPPORTED"])
    expect(await refused(mintBody(to, ach(to)))).toEqual([400, "INVALID_BANK_ACCOUNT", "SOURCE_TYPE_NOT_SUPPORTED"])
    expect(await refused(mintBody(to), pending)).toEqual([409, "CONFLICT", "STABLECOIN_NOT_PROVISIONED"])
    expect(await refused(mintBody(to), "Stablecoin:01a1fdfa-4600-7000-8000-000000000000")).toEqual([
      404,
      "REFERENCE_NOT_FOUND",
      undefined,
    ])
    await pay.send("POST", `/sandbox/external-accounts/${from}/status`, { body: { status: "INACTIVE" } })
    expect(await refused(mintBody(to, ach(from)))).toEqual([400, "INVALID_BANK_ACCOUNT", "SOURCE_NOT_ACTIVE"])
    await pay.send("DELETE", `/customers/external-accounts/${from}`)
    expect(await refused(mintBody(to, ach(from)))).toEqual([404, "REFERENCE_NOT_FOUND", undefined])
    await pay.send("DELETE", `/customers/external-accounts/${to}`)
    expect(await refused(mintBody(to))).toEqual([404, "REFERENCE_NOT_FOUND", undefined])
  })

  it.each([
    ["003", "STABLECOIN_PROVIDER_ACCOUNT_INVALID"],
    ["004", "STABLECOIN_PROVIDER_ACCOUNT_REVOKED"],
  ])("is refused once the credentials %s are no longer valid", async (suffix, code) => {
    await using pay = await stablecoinWorld()
    await link(pay, `provider_client_${suffix}`)
    const coin = idOf(await register(pay))
    const to = await wallet(pay)
    expect((await mint(pay, coin, mintBody(to))).status).toBe(201)
    await pay.clock.advance("30 seconds")
    expect(codeOf(await mint(pay, coin, mintBody(to)))).toEqual([400, code, undefined])
  })
})

describe("a burn", () => {
  it.each(serviceNames)(
    "of sent tokens waits for them, and says when the money arrives, at the service %s",
    async (serviceName) => {
      await using pay = await stablecoinWorld({ serviceName })
      const coin = await stablecoin(pay)
      const to = await bank(pay)
      const made = await burn(pay, coin, burnBody(to))
      expect(made.status).toBe(201)
      expect(made.body).toMatchObject({
        operationType: "BURN",
        status: "PENDING_FUNDING",
        source: { type: "EXTERNAL_ACCOUNT" },
        destination: { accountId: to, rail: "ACH_CREDIT" },
        estimatedDelivery: { rail: "ACH_CREDIT", amount: "100", currency: "USD", timing: "1-3 business days" },
        expiresAt: "2026-11-28T12:00:00Z",
        fundingInstructions: {
          rail: "SPARK",
          network: "SPARK",
          address: expect.stringMatching(/^spark1[02-9ac-hj-np-z]{54,94}$/u),
          valueType: "ACME",
        },
      })
      await pay.clock.advance("3 seconds")
      expect(await statusOf(pay, idOf(made))).toBe("COMPLETED")
    },
  )

  it("of the provider's balance is begun by the provider, and never waits for funding", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const made = await burn(pay, coin, burnBody(await bank(pay, "006"), { type: "PROVIDER_INTERNAL_BALANCE" }))
    expect(made.body).toMatchObject({ status: "PENDING_PROVIDER" })
    await pay.clock.advance("3 seconds")
    expect(await statusOf(pay, idOf(made))).toBe("COMPLETED")
  })

  it.each([
    ["WIRE", "same business day"],
    ["ACH_CREDIT", "1-3 business days"],
    ["SAME_DAY_ACH_CREDIT", "same business day"],
    ["RTP_CREDIT", "within minutes"],
  ])("is paid out by %s", async (rail, timing) => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const destination = { type: "EXTERNAL_ACCOUNT", externalAccountId: await bank(pay), rail }
    const made = await burn(pay, coin, burnBody("", undefined, { destination }))
    expect(made.body).toMatchObject({ estimatedDelivery: { rail, timing } })
  })

  it("is refused with the first reason that applies", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const to = await bank(pay)
    const refused = async (body: object, id = coin) => codeOf(await burn(pay, id, body))
    const pending = idOf(await register(pay, "TOKEN001"))
    const internal = {
      type: "SERVICE_INTERNAL_ACCOUNT",
      accountId: "InternalAccount:01a1fdfa-4600-7000-8000-000000000000",
    }
    expect(await refused(burnBody(to, internal))).toEqual([400, "INVALID_INPUT", "FUNDING_SOURCE_RESERVED"])
    expect(await refused(burnBody(await wallet(pay)))).toEqual([
      400,
      "INVALID_BANK_ACCOUNT",
      "DESTINATION_TYPE_NOT_SUPPORTED",
    ])
    expect(await refused(burnBody(unknownAccount))).toEqual([404, "REFERENCE_NOT_FOUND", undefined])
    expect(await refused(burnBody(to), pending)).toEqual([409, "CONFLICT", "STABLECOIN_NOT_PROVISIONED"])
    await pay.send("POST", `/sandbox/external-accounts/${to}/status`, { body: { status: "UNDER_REVIEW" } })
    const inactive = await refused(burnBody(to))
    expect(inactive).toEqual([400, "INVALID_BANK_ACCOUNT", "DESTINATION_NOT_ACTIVE"])
  })
})

describe("the list of operations", () => {
  it("has those of one stablecoin, newest first, by type", async () => {
    await using pay = await stablecoinWorld()
    const coin = await stablecoin(pay)
    const other = idOf(await register(pay, "OTHER"))
    const minted: Array<string> = []
    for (const suffix of ["200", "202"]) {
      minted.push(idOf(await mint(pay, coin, mintBody(await wallet(pay, suffix)))))
      await pay.clock.advance("1 second")
    }
    const burned = idOf(await burn(pay, coin, burnBody(await bank(pay))))
    const list = async (query: string, id = coin) =>
      (await pay.send("GET", `/stablecoins/${id}/operations${query}`)).body
    expect(await list("")).toMatchObject({
      data: [{ id: burned }, { id: minted[1] }, { id: minted[0] }],
      hasMore: false,
    })
    expect(await list("?operationType=BURN")).toMatchObject({ data: [{ id: burned }], totalCount: 1 })
    expect(await list("?operationType=MINT&limit=1")).toMatchObject({
      data: [{ id: minted[1] }],
      hasMore: true,
      totalCount: 2,
    })
    expect(await list("", other)).toMatchObject({ data: [], totalCount: 0 })
    const unknown = await pay.send("GET", "/stablecoins/Stablecoin:01a1fdfa-4600-7000-8000-000000000000/operations")
    expect(codeOf(unknown)).toEqual([404, "REFERENCE_NOT_FOUND", undefined])
  })
})
