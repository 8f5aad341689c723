/**
 * The platform's transfers over HTTP: answers, refusals, idempotent replays and lists.
 * Spec: 4.5, Limits, Errors; wire contract 0.3, 0.4, 5.1, 5.6 and 5.7; D-093, D-094, D-097.
 */

import { CurrentCaller } from "@countersign/core"
import type { CurrencyCode } from "@countersign/core/models"
import { Verifier } from "@countersign/core/ports"
import { Sandbox, SandboxVerifier } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import * as IdPool from "../../../packages/core/src/foundation/ids/IdPool.ts"
import * as Changes from "../../../packages/core/src/store/Changes.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { addCustomer, addSource } from "../../../packages/test/src/harness/AgentWorld.ts"
import { balances, fund, pullFrom, pushTo, read } from "../../../packages/test/src/harness/TransferCalls.ts"
import type { World } from "../../../packages/test/src/harness/World.ts"
import { serviceNames } from "../names/ServiceNames.ts"

type Harness = Awaited<ReturnType<typeof agentHarness>>

const outOf = (pay: Harness, more: object = {}) => ({
  source: { accountId: pay.accountId },
  destination: { accountId: pay.sources["000"] },
  amount: 400,
  ...more,
})
const into = (pay: Harness, more: object = {}) => ({
  source: { accountId: pay.sources["000"] },
  destination: { accountId: pay.accountId },
  amount: 400,
  ...more,
})

/** Changes the customer's check as a verification would. */
const withCheck = (checkStatus: "PENDING" | "APPROVED") =>
  Layer.merge(
    Sandbox.layer,
    Layer.effect(
      Verifier,
      Effect.map(Verifier, (sandbox) => ({ ...sandbox, checkCustomer: () => Effect.succeed(checkStatus) })),
    ).pipe(Layer.provide(SandboxVerifier.layer)),
  )

/** Stores an external account of a currency that the table of account types does not support yet. */
const insertExternal = (
  within: World,
  customerId: string,
  currency: CurrencyCode,
  beneficiary: { [name: string]: string },
) =>
  within.run(
    Effect.gen(function* () {
      const { platformId } = yield* CurrentCaller
      const pool = yield* IdPool.make(1)
      const id = pool.source()("ExternalAccount")
      const set = Changes.toChangeSet(
        Changes.insert(
          "ExternalAccount",
          id,
          { platformId, customerId },
          {
            currency,
            status: "ACTIVE",
            defaultUmaDepositAccount: false,
            accountInfo: { accountType: `${currency}_ACCOUNT`, accountNumber: id.slice(-8), beneficiary },
            isDeleted: false,
          },
        ),
        { operationId: pool.operationId, at: yield* Clock.currentTimeMillis },
      )
      expect(yield* Store.use((store) => store.commit(set))).toMatchObject({ _tag: "Committed" })
      return id
    }),
  )

describe("POST /transfer-out", () => {
  it.each(serviceNames)(
    "answers 201 with a PENDING transaction, and replays the answer for the same key, at the service %s",
    async (serviceName) => {
      await using pay = await agentHarness({}, { serviceName })
      await fund(pay, 1000)
      const headers = { "idempotency-key": "rent" }
      const body = outOf(pay, { remittanceInformation: "Rent", purposeOfPayment: "OTHER" })
      const first = await pay.send("POST", "/transfer-out", { body, headers })
      expect(first.status).toBe(201)
      expect(first.body).toMatchObject({ status: "PENDING", remittanceInformation: "Rent", purposeOfPayment: "OTHER" })
      await pay.settle()
      const again = await pay.send("POST", "/transfer-out", { body, headers })
      expect(again.body).toEqual(first.body)
      expect(again.headers.get("idempotency-replayed")).toBe("true")
      expect(await balances(pay)).toEqual([600, 600])
      const other = await pay.send("POST", "/transfer-out", { body: { ...body, amount: 401 }, headers })
      expect(other).toMatchObject({ status: 409, body: { code: "CONFLICT" } })
    },
  )

  it("transfers the whole available balance when no amount is given", async () => {
    await using pay = await agentHarness()
    await fund(pay, 1000)
    await pushTo(pay, "000", { amount: 300 })
    const { amount: _, ...body } = outOf(pay)
    const whole = await pay.send("POST", "/transfer-out", { body })
    expect(whole.body).toMatchObject({ sentAmount: { amount: 700 } })
    expect(await pay.send("POST", "/transfer-out", { body })).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "INSUFFICIENT_FUNDS" } },
    })
  })

  it("does not spend the same money in two concurrent requests", async () => {
    await using pay = await agentHarness({}, { interleave: 3 })
    await fund(pay, 1000)
    const all = Array.from({ length: 6 }, () => pay.send("POST", "/transfer-out", { body: outOf(pay) }))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 201, 400, 400, 400, 400])
    await pay.settle()
    expect(await balances(pay)).toEqual([200, 200])
  })

  it("continues with its copy when the external account changes or is deleted", async () => {
    await using pay = await agentHarness({}, { suffixes: ["005"] })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "005", { amount: 400 })
    await pay.run(
      Effect.gen(function* () {
        const accountId = pay.sources["005"] ?? ""
        const found = yield* Store.use((store) => store.read({ records: [{ kind: "ExternalAccount", id: accountId }] }))
        const stored = found.record("ExternalAccount", accountId)
        if (stored === undefined) throw new Error("there is no account")
        const accountInfo = { ...stored.data.accountInfo, accountNumber: "12345000" }
        const gone = Changes.update(stored, { ...stored.data, accountInfo, isDeleted: true })
        const { operationId } = yield* IdPool.make(1)
        const set = Changes.toChangeSet(gone, { operationId, at: yield* Clock.currentTimeMillis })
        yield* Store.use((store) => store.commit(set))
      }),
    )
    await pay.clock.advance("1 minute")
    expect(await read(pay, id)).toMatchObject({ status: "FAILED", destination: { accountId: pay.sources["005"] } })
  })

  it.each<[string, object, object]>([
    ["81 characters of text", { remittanceInformation: "x".repeat(81) }, { code: "INVALID_INPUT" }],
    ["an unknown purpose", { purposeOfPayment: "FUN" }, { code: "INVALID_INPUT" }],
    ["an amount of 0", { amount: 0 }, { code: "INVALID_AMOUNT" }],
    [
      "an amount above the balance",
      { amount: 1001 },
      { code: "INVALID_INPUT", details: { reason: "INSUFFICIENT_FUNDS" } },
    ],
    ["a fractional amount", { amount: 1.5 }, { code: "INVALID_INPUT" }],
  ])("refuses %s with 400", async (_label, more, body) => {
    await using pay = await agentHarness()
    await fund(pay, 1000)
    expect(await pay.send("POST", "/transfer-out", { body: outOf(pay, more) })).toMatchObject({ status: 400, body })
    expect(await balances(pay)).toEqual([1000, 1000])
  })

  it("reports every problem of the body at once", async () => {
    await using pay = await agentHarness()
    const { status, body } = await pay.send("POST", "/transfer-out", {
      body: { source: {}, destination: { accountId: "x", paymentRail: "PIGEON" }, amount: "1" },
    })
    expect(status).toBe(400)
    const fields = (body as { details: { errors: ReadonlyArray<{ field: string }> } }).details.errors
    expect(fields.map(({ field }) => field).toSorted()).toEqual([
      "amount",
      "destination.accountId",
      "destination.paymentRail",
      "source.accountId",
    ])
  })

  it("refuses accounts of two customers", async () => {
    await using pay = await agentHarness()
    await fund(pay, 1000)
    const other = await addCustomer(pay)
    const foreign = await addSource(pay, other.customerId, "777")
    const body = outOf(pay, { destination: { accountId: foreign } })
    expect(await pay.send("POST", "/transfer-out", { body })).toMatchObject({
      status: 400,
      body: { details: { reason: "ACCOUNTS_OF_DIFFERENT_CUSTOMERS" } },
    })
    const wallet = await pay.send(
      "GET",
      `/customers/internal-accounts?customerId=${pay.customerId}&type=EMBEDDED_WALLET`,
    )
    const walletId = (wallet.body as { data: ReadonlyArray<{ id: string }> }).data[0]?.id
    expect(
      await pay.send("POST", "/transfer-out", { body: outOf(pay, { source: { accountId: walletId } }) }),
    ).toMatchObject({ status: 400, body: { code: "INVALID_CURRENCY" } })
    const unknown = outOf(pay, {
      source: { accountId: pay.accountId.replace(/.$/u, (end) => (end === "0" ? "1" : "0")) },
    })
    expect(await pay.send("POST", "/transfer-out", { body: unknown })).toMatchObject({ status: 404 })
  })

  // Proves: ERR-USER_NOT_READY
  it("refuses a customer whose verification is not approved", async () => {
    await using pay = await agentHarness({}, { ports: withCheck("PENDING") })
    await fund(pay, 1000)
    const refusal = { status: 403, body: { code: "USER_NOT_READY", details: { status: "PENDING" } } }
    expect(await pay.send("POST", "/transfer-out", { body: outOf(pay) })).toMatchObject(refusal)
    expect(await pay.send("POST", "/transfer-in", { body: into(pay) })).toMatchObject(refusal)
  })

  // Proves: RES-BENE-19, ERR-MISSING_MANDATORY_USER_INFO
  it("requires the registration number of a business that pays a business in pounds", async () => {
    await using pay = await agentHarness({}, { ports: withCheck("APPROVED") })
    const businessInfo = { legalName: "Engines Ltd", country: "GB", taxId: "1", incorporatedOn: "2020-01-01" }
    const created = await pay.send("POST", "/customers", {
      body: { customerType: "BUSINESS", businessInfo },
    })
    expect(created.status).toBe(201)
    const customerId = (created.body as { id: string }).id
    const found = await pay.send("GET", `/customers/internal-accounts?customerId=${customerId}&currency=GBP`)
    const accountId = (found.body as { data: ReadonlyArray<{ id: string }> }).data[0]?.id ?? ""
    await fund({ ...pay, accountId }, 1000)
    const to = async (beneficiary: { [name: string]: string }) => {
      const destination = { accountId: await insertExternal(pay, customerId, "GBP", beneficiary) }
      return pay.send("POST", "/transfer-out", { body: { source: { accountId }, destination, amount: 5 } })
    }
    expect(await to({ beneficiaryType: "BUSINESS", legalName: "Looms Ltd" })).toMatchObject({
      status: 400,
      body: {
        code: "MISSING_MANDATORY_USER_INFO",
        details: { errors: [{ field: "customer.businessInfo.registrationNumber" }] },
      },
    })
    expect(await to({ beneficiaryType: "INDIVIDUAL", fullName: "Ada" })).toMatchObject({ status: 201 })
  })
})

describe("POST /transfer-in", () => {
  it.each(serviceNames)(
    "answers 201 with a PENDING transaction, and replays the answer for the same key, at the service %s",
    async (serviceName) => {
      await using pay = await agentHarness({}, { serviceName })
      const headers = { "idempotency-key": "top-up" }
      const first = await pay.send("POST", "/transfer-in", { body: into(pay), headers })
      expect(first).toMatchObject({ status: 201, body: { type: "INCOMING", status: "PENDING" } })
      const again = await pay.send("POST", "/transfer-in", { body: into(pay), headers })
      expect(again.body).toEqual(first.body)
      await pay.settle()
      expect(await balances(pay)).toEqual([400, 400])
    },
  )
})

describe("GET /transactions", () => {
  const ids = async (pay: Harness, query: string): Promise<ReadonlyArray<string>> => {
    const { body, status } = await pay.send("GET", `/transactions?${query}`)
    expect(status).toBe(200)
    return (body as { data: ReadonlyArray<{ id: string }> }).data.map(({ id }) => id)
  }

  it("filters by every field and pages without gaps", async () => {
    await using pay = await agentHarness({}, { suffixes: ["000", "002"] })
    const one = await pullFrom(pay, "000", 1000)
    await pay.clock.advance("1 minute")
    const two = await pushTo(pay, "000", { amount: 10 })
    await pay.clock.advance("1 second")
    const three = await pushTo(pay, "002", { amount: 20 })
    await pay.clock.advance("1 minute")
    const all = [three.id, two.id, one.id]
    const reference = ("reconciliationInstructions" in two && two.reconciliationInstructions?.reference) || ""
    expect(reference).toMatch(/^P[0-9A-F]{12}$/u)
    const platformCustomerId = one.platformCustomerId
    const external = pay.sources["000"] ?? ""
    const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["", all],
      ["sortOrder=asc", all.toReversed()],
      [`customerId=${pay.customerId}`, all],
      [`customerId=${pay.platformId}`, []],
      [`platformCustomerId=${platformCustomerId}`, all],
      ["platformCustomerId=nobody", []],
      [`accountIdentifier=${pay.accountId}`, all],
      [`accountIdentifier=${external}`, [two.id, one.id]],
      [`accountIdentifier=${external}&senderAccountIdentifier=${pay.accountId}`, [two.id]],
      [`accountIdentifier=${external}&senderAccountIdentifier=${external}`, [one.id]],
      [`senderAccountIdentifier=${pay.accountId}`, [three.id, two.id]],
      [`receiverAccountIdentifier=${pay.accountId}`, [one.id]],
      ["status=FAILED", [three.id]],
      ["status=COMPLETED&type=OUTGOING", [two.id]],
      ["type=INCOMING", [one.id]],
      ["type=CARD", []],
      [`reference=${reference}`, [two.id]],
      ["startDate=2026-11-21T12:01:00Z", [three.id, two.id]],
      ["endDate=2026-11-21T12:00:00Z", [one.id]],
    ]
    for (const [query, expected] of cases) expect(await ids(pay, query), query).toEqual(expected)

    for (const query of ["limit=1", `limit=1&accountIdentifier=${pay.accountId}`]) {
      const paged: Array<string> = []
      let cursor: string | undefined
      do {
        const { body } = await pay.send(
          "GET",
          `/transactions?${query}${cursor === undefined ? "" : `&cursor=${cursor}`}`,
        )
        const page = body as { data: ReadonlyArray<{ id: string }>; totalCount: number; nextCursor?: string }
        expect(page.totalCount).toBe(3)
        paged.push(...page.data.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(paged).toEqual(all)
    }
    expect(await pay.send("GET", "/transactions?status=LOST")).toMatchObject({ status: 400 })
  })
})

describe("the actions of a transaction", () => {
  // Proves: ERR-TRANSACTION_NOT_FOUND
  it.each(serviceNames)(
    "work over HTTP with and without a body: confirm, cancel, approve and reject, at the service %s",
    async (serviceName) => {
      await using pay = await agentHarness({}, { serviceName })
      await fund(pay, 1000)
      const { id } = await pushTo(pay, "000", { amount: 10 })
      const at = "2026-11-21T11:00:00Z"
      expect(
        await pay.send("POST", `/transactions/${id}/confirm`, { body: { receiptDeliveryConfirmedAt: at } }),
      ).toMatchObject({ status: 200, body: { receiptDeliveryConfirmedAt: at } })
      expect(await pay.send("POST", `/transactions/${id}/confirm`)).toMatchObject({ status: 200 })
      expect(await pay.send("POST", `/transactions/${id}/approve`)).toMatchObject({
        status: 409,
        body: { code: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL" },
      })
      expect(await pay.send("POST", `/transactions/${id}/reject`, { body: { reason: "no" } })).toMatchObject({
        status: 409,
      })
      expect(await pay.send("POST", `/transactions/${id}/cancel`)).toMatchObject({
        status: 200,
        body: { status: "COMPLETED", refund: { status: "COMPLETED", reason: "USER_CANCELLATION" } },
      })
      expect(await pay.send("POST", `/transactions/${id}/cancel`)).toMatchObject({
        status: 409,
        body: { code: "TRANSACTION_NOT_CANCELLABLE" },
      })
      for (const action of ["confirm", "cancel", "approve", "reject"]) {
        expect(await pay.send("POST", `/transactions/Transaction:nobody/${action}`)).toMatchObject({
          status: 404,
          body: { code: "TRANSACTION_NOT_FOUND" },
        })
      }
    },
  )
})
