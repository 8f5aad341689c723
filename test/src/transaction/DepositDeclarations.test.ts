/**
 * Deposits from unknown wallets over HTTP: held until the customer's platform declares the wallet, and proves it where it must.
 * Source: wire contract areas 2.8 (pendingReason) and 2.13; D-415, D-426.
 */
import { type DepositReport, Deposits, Ownerships } from "@countersign/core"
import { type ArrivedDeposit, DepositScreening, type DepositVerdict, OwnershipRegions } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { added, at, customersPath, evm, newCustomer } from "../account/ExternalAccountRequests.ts"

type Members = Readonly<Record<string, unknown>>

const region = Layer.succeed(OwnershipRegions, ["EU"])
const address = `0x${"a".repeat(37)}005`
const own = { ownershipType: "FIRST_PARTY" }

const world = async (ports: Layer.Layer<never> = Layer.empty, more: Members = {}) => {
  const pay = await harness({ ports: Layer.mergeAll(Sandbox.layer, region, ports) })
  const customerId = await newCustomer(pay, { region: "EU", currencies: ["USDC"], ...more })
  const listed = await pay.send("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USDC`)
  const accountId = String(at(listed.body, "data", 0, "id"))
  await pay.settle()
  return { pay, customerId, accountId }
}

const fund = (pay: Harness, accountId: string, accountIdentifier = address) =>
  pay.send("POST", `/sandbox/internal-accounts/${accountId}/fund`, {
    body: { amount: 700, source: { accountIdentifier, cryptoNetwork: "ETHEREUM" } },
  })

const transactionsOf = async (pay: Harness, customerId: string) => {
  await pay.settle()
  const reply = await pay.send("GET", `/transactions?customerId=${customerId}&sortOrder=asc`)
  return at(reply.body, "data") as ReadonlyArray<Members>
}

const statesOf = async (pay: Harness, customerId: string) =>
  (await transactionsOf(pay, customerId)).map(({ pendingReason, status }) => pendingReason ?? status)

const incomingEvents = (pay: Harness) =>
  pay.inbox.received
    .filter(({ type }) => type.startsWith("INCOMING_PAYMENT"))
    .map(({ data, type }) => [type, (data as Members)["pendingReason"]])

const exchange = async (pay: Harness) => String(at((await pay.send("GET", "/vasps")).body, "data", 0, "vaspName"))

describe("a deposit from an unknown wallet", () => {
  it.each([
    ["another person's wallet", { ownershipType: "THIRD_PARTY" }, false],
    ["a wallet at an exchange", own, true],
  ])("is credited when its platform declares %s with that address", async (_whose, ownership, isCustodial) => {
    const { accountId, customerId, pay } = await world()
    await using _ = pay
    await fund(pay, accountId)
    await fund(pay, accountId)
    expect(await statesOf(pay, customerId)).toEqual(Array(2).fill("COUNTERPARTY_DECLARATION_REQUIRED"))
    const wallet = evm(address.toUpperCase().replace("0X", "0x"), ownership)
    const vaspName = isCustodial ? { vaspName: await exchange(pay) } : {}
    await added(pay, { ...wallet, customerId, accountInfo: { ...wallet.accountInfo, ...vaspName } })
    expect(await statesOf(pay, customerId)).toEqual(["COMPLETED", "COMPLETED"])
    const account = await pay.send("GET", `/internal-accounts/${accountId}`)
    expect([at(account.body, "balance", "amount"), at(account.body, "totalBalance", "amount")]).toEqual([1400, 1400])
    await fund(pay, accountId)
    expect(await statesOf(pay, customerId)).toEqual(Array(3).fill("COMPLETED"))
  })

  it.each([
    ["without an ownership", {}, address],
    ["with another address", { ownershipType: "THIRD_PARTY" }, `0x${"b".repeat(37)}005`],
  ])("stays held when its platform creates a wallet account %s", async (_how, ownership, other) => {
    const { accountId, customerId, pay } = await world()
    await using _ = pay
    await fund(pay, accountId)
    await added(pay, { ...evm(other, ownership), customerId })
    expect(await statesOf(pay, customerId)).toEqual(["COUNTERPARTY_DECLARATION_REQUIRED"])
  })

  it("stays held when another customer, or the platform itself, declares the wallet", async () => {
    const { accountId, customerId, pay } = await world()
    await using _ = pay
    await fund(pay, accountId)
    const wallet = evm(address, { ownershipType: "THIRD_PARTY" })
    await added(pay, { ...wallet, customerId: await newCustomer(pay) })
    await added(pay, wallet, "/platform/external-accounts")
    expect(await statesOf(pay, customerId)).toEqual(["COUNTERPARTY_DECLARATION_REQUIRED"])
  })

  it("is not released by a declaration when it waits for another reason", async () => {
    const { accountId, customerId, pay } = await world()
    await using _ = pay
    const reviewed = `0x${"a".repeat(37)}001`
    await fund(pay, accountId, reviewed)
    await added(pay, { ...evm(reviewed, { ownershipType: "THIRD_PARTY" }), customerId })
    expect(await statesOf(pay, customerId)).toEqual(["COMPLIANCE_REVIEW"])
  })

  it("waits for the proof of the customer's own wallet, and is credited by it", async () => {
    const { accountId, customerId, pay } = await world()
    await using _ = pay
    await fund(pay, accountId)
    const walletId = await added(pay, { ...evm(address, own), customerId })
    expect(await statesOf(pay, customerId)).toEqual(["WALLET_VERIFICATION_REQUIRED"])
    await fund(pay, accountId)
    expect(await statesOf(pay, customerId)).toEqual(Array(2).fill("WALLET_VERIFICATION_REQUIRED"))
    for (const isOwner of [false, true]) {
      const opened = await pay.send("POST", `${customersPath}/${walletId}/challenge`, { body: { method: "LIVENESS" } })
      expect(opened).toMatchObject({ status: 201 })
      await pay.run(Ownerships.use((ownerships) => ownerships.report(walletId, isOwner)))
      const expected = isOwner ? "COMPLETED" : "WALLET_VERIFICATION_REQUIRED"
      expect(await statesOf(pay, customerId)).toEqual([expected, expected])
    }
    expect(incomingEvents(pay).slice(0, 3)).toEqual([
      ["INCOMING_PAYMENT.PENDING", "COUNTERPARTY_DECLARATION_REQUIRED"],
      ["INCOMING_PAYMENT.PENDING", "WALLET_VERIFICATION_REQUIRED"],
      ["INCOMING_PAYMENT.PENDING", "WALLET_VERIFICATION_REQUIRED"],
    ])
    expect(incomingEvents(pay).slice(3)).toEqual(Array(2).fill(["INCOMING_PAYMENT.COMPLETED", undefined]))
  })

  it("is credited by the declaration alone where no proof is required", async () => {
    const { accountId, customerId, pay } = await world(Layer.empty, { region: "US" })
    await using _ = pay
    await fund(pay, accountId)
    await added(pay, { ...evm(address, own), customerId })
    expect(await statesOf(pay, customerId)).toEqual(["COMPLETED"])
  })

  it("is screened again with the declaration, and the deployment's verdict counts", async () => {
    const seen: Array<ArrivedDeposit["declaration"]> = []
    const verdicts: ReadonlyArray<DepositVerdict> = [
      { _tag: "Hold", reason: "COUNTERPARTY_DECLARATION_REQUIRED" },
      { _tag: "Hold", reason: "COUNTERPARTY_DECLARATION_REQUIRED" },
      { _tag: "Hold", reason: "WALLET_VERIFICATION_REQUIRED" },
      { _tag: "Refuse", reason: "COMPLIANCE_REJECTED" },
    ]
    const screening = Layer.succeed(DepositScreening, {
      screen: ({ declaration }) =>
        Effect.sync(() => verdicts[seen.push(declaration) - 1] ?? { _tag: "Clear" as const }),
      transactionHash: () => Effect.undefined,
    })
    const { accountId, customerId, pay } = await world(screening)
    await using _ = pay
    await pay.run(
      Deposits.use((deposits) =>
        deposits.report({
          accountId,
          amount: 5,
          depositId: "chain-1",
          source: { accountIdentifier: address, cryptoNetwork: "ETHEREUM" },
        }),
      ),
    )
    expect(await statesOf(pay, customerId)).toEqual(["COUNTERPARTY_DECLARATION_REQUIRED"])
    const third = { ownershipType: "THIRD_PARTY" }
    await added(pay, { ...evm(address, third), customerId })
    expect(await statesOf(pay, customerId)).toEqual(["WALLET_VERIFICATION_REQUIRED"])
    await added(pay, {
      ...evm(address, third),
      customerId,
      accountInfo: { accountType: "BASE_WALLET", address },
    })
    expect((await transactionsOf(pay, customerId))[0]).toMatchObject({ failureReason: "COMPLIANCE_REJECTED" })
    expect(seen).toEqual([undefined, undefined, ...Array(2).fill({ ...third, isActive: true })])
  })
})

/** A wallet without a magic suffix. */
const plain = `0x${"c".repeat(37)}abc`

describe("a deposit in a region with counterparty rules", () => {
  it("is held by the sandbox from any unknown wallet, until the wallet is declared and proven", async () => {
    const { accountId, customerId, pay } = await world()
    await using _ = pay
    expect(await fund(pay, accountId, plain)).toMatchObject({
      status: 200,
      body: { balance: { amount: 0 }, totalBalance: { amount: 700 } },
    })
    expect(await statesOf(pay, customerId)).toEqual(["COUNTERPARTY_DECLARATION_REQUIRED"])
    const walletId = await added(pay, { ...evm(plain, own), customerId })
    expect(await statesOf(pay, customerId)).toEqual(["WALLET_VERIFICATION_REQUIRED"])
    await pay.send("POST", `${customersPath}/${walletId}/challenge`, { body: { method: "LIVENESS" } })
    await pay.run(Ownerships.use((ownerships) => ownerships.report(walletId, true)))
    expect(await statesOf(pay, customerId)).toEqual(["COMPLETED"])
    await fund(pay, accountId, plain)
    expect(await statesOf(pay, customerId)).toEqual(["COMPLETED", "COMPLETED"])
    expect(incomingEvents(pay)).toEqual([
      ["INCOMING_PAYMENT.PENDING", "COUNTERPARTY_DECLARATION_REQUIRED"],
      ["INCOMING_PAYMENT.PENDING", "WALLET_VERIFICATION_REQUIRED"],
      ["INCOMING_PAYMENT.COMPLETED", undefined],
      ["INCOMING_PAYMENT.COMPLETED", undefined],
    ])
  })

  it("goes back to the unknown wallet after seven days", async () => {
    const { accountId, customerId, pay } = await world()
    await using _ = pay
    await fund(pay, accountId, plain)
    await pay.clock.advance("7 days")
    await pay.clock.advance("5 seconds")
    expect(await transactionsOf(pay, customerId)).toMatchObject([
      { status: "REFUNDED", failureReason: "COMPLIANCE_REJECTED" },
    ])
  })

  it.each<[string, Members]>([
    ["a customer of another region", { region: "US" }],
    ["a customer without a region", { region: undefined }],
  ])("is credited at once for %s", async (_whose, more) => {
    const { accountId, customerId, pay } = await world(Layer.empty, more)
    await using _ = pay
    await fund(pay, accountId, plain)
    expect(await statesOf(pay, customerId)).toEqual(["COMPLETED"])
  })

  it("is credited at once when the sandbox makes up its sender, when a bank sent it, and on the platform's own account", async () => {
    const { accountId, customerId, pay } = await world()
    await using _ = pay
    await pay.send("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 5 } })
    const dollars = await pay.send("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
    await pay.send("POST", `/sandbox/internal-accounts/${at(dollars.body, "data", 0, "id")}/fund`, {
      body: { amount: 5, source: { accountIdentifier: "000123456789" } },
    })
    expect(await statesOf(pay, customerId)).toEqual(["COMPLETED", "COMPLETED"])
    const platform = await pay.send("GET", "/platform/internal-accounts?currency=USDC")
    const funded = await fund(pay, String(at(platform.body, "data", 0, "id")), plain)
    expect(funded).toMatchObject({ body: { balance: { amount: 700 } } })
  })

  const byDefault = Layer.succeed(DepositScreening, DepositScreening.defaultValue())
  const report = (pay: Harness, accountId: string, source: DepositReport["source"]) =>
    pay.run(Deposits.use((deposits) => deposits.report({ accountId, amount: 5, depositId: "chain-1", source })))

  it.each<[string, DepositReport["source"], string]>([
    ["an unknown wallet", { accountIdentifier: plain, cryptoNetwork: "BASE" }, "COUNTERPARTY_DECLARATION_REQUIRED"],
    ["a wallet on a network that its report omits", { accountIdentifier: plain }, "COUNTERPARTY_DECLARATION_REQUIRED"],
    ["nobody", {}, "COMPLIANCE_REVIEW"],
  ])("from %s is held without a screening of the deployment", async (_who, source, reason) => {
    const { accountId, customerId, pay } = await world(byDefault)
    await using _ = pay
    expect(await report(pay, accountId, source)).toMatchObject({ status: "PENDING", pendingReason: reason })
    await added(pay, { ...evm(plain, { ownershipType: "THIRD_PARTY" }), customerId })
    expect(await statesOf(pay, customerId)).toEqual([
      reason === "COMPLIANCE_REVIEW" ? "COMPLIANCE_REVIEW" : "COMPLETED",
    ])
  })

  it("is credited when the deployment's own screening clears it, which sees what the region requires", async () => {
    const seen: Array<unknown> = []
    const screening = Layer.succeed(DepositScreening, {
      screen: ({ regionalHold }) =>
        Effect.sync(() => {
          seen.push(regionalHold)
          return { _tag: "Clear" as const }
        }),
      transactionHash: () => Effect.undefined,
    })
    const { accountId, pay } = await world(screening)
    await using _ = pay
    const deposit = await report(pay, accountId, { accountIdentifier: plain, cryptoNetwork: "BASE" })
    expect([deposit?.status, seen]).toEqual(["COMPLETED", ["COUNTERPARTY_DECLARATION_REQUIRED"]])
  })
})
