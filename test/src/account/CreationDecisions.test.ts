/**
 * What the creation of an external account writes, and when it is refused.
 * Spec: ExternalAccount, 4.3; wire contract 2.1, 2.2, 2.7 and 11 (18, 20); D-050, D-054, D-382.
 */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  acceptedAccountInfo,
  type Creation,
  type CreationAnswers,
  type CreationLoaded,
  createExternalAccount,
  ownerIdOf,
} from "../../../packages/core/src/decision/account/ExternalAccountCreationDecision.ts"
import type { CommitRejection } from "../../../packages/core/src/decision/Decision.ts"
import type { ExternalAccount } from "../../../packages/core/src/model/account/ExternalAccount.ts"
import type { BeneficiaryResult } from "../../../packages/core/src/ports/Verifier.ts"
import { type Caller, tenant } from "../../../packages/core/src/store/Caller.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { sameAccountClaim, umaDepositClaims } from "../../../packages/core/src/store/Claims.ts"
import { agentWith } from "../agent/SpendingFacts.ts"
import { contextOf, now, owner } from "../card/StoredCards.ts"
import { partsWritten } from "../operation/WrittenParts.ts"
import { customerOf, externalOf } from "../quote/CreationFacts.ts"

const address = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23"
const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" } as const
const kes = { accountType: "KES_ACCOUNT", phoneNumber: "+254712345678", provider: "M-PESA", beneficiary } as const
const php = { accountType: "PHP_ACCOUNT", bankName: "Other", accountNumber: "12345678", beneficiary } as const
const bank = { currency: "KES", accountInfo: kes, customerId: "Customer:1" } as const
const wallet = {
  currency: "USDC",
  accountInfo: { accountType: "BASE_WALLET", address },
  customerId: "Customer:1",
} as const
const own = { ...wallet, ownershipType: "FIRST_PARTY" } as const
const matched: BeneficiaryResult = { _tag: "Result", status: "MATCHED" }
const euCustomer = { ...customerOf(), data: { ...customerOf().data, region: "EU" } }
const agent: Stored<"Agent"> = {
  ...owner,
  kind: "Agent",
  id: "Agent:1",
  version: 4,
  createdAt: 0,
  updatedAt: 0,
  data: agentWith({ permissions: ["MANAGE_EXTERNAL_ACCOUNTS"] }),
}
const agentCaller: Caller = { _tag: "Agent", ...owner, agentId: "Agent:1", budget: "USD" }
const customerGuard = { kind: "Customer", id: "Customer:1", version: 1 }

const created = (
  request: Creation["request"],
  {
    caller = tenant(owner.platformId),
    ownershipRegions = [],
    rejections = [],
    ...more
  }: Partial<CreationLoaded & CreationAnswers> & {
    readonly caller?: Caller
    readonly ownershipRegions?: ReadonlyArray<string>
    readonly rejections?: ReadonlyArray<CommitRejection>
  } = {},
) =>
  createExternalAccount({ request, strictChecks: false, ownershipRegions })(
    { agent: undefined, customer: customerOf(), depositAccount: undefined, verification: matched, ...more },
    contextOf({ caller, rejections }),
  )
const accountOf = (decision: ReturnType<typeof created>) =>
  (decision.changes?.inserts ?? []).flatMap((record) => (record.kind === "ExternalAccount" ? [record] : []))[0]
const verification = (dueAt: number) => ({
  kind: "account.verify",
  customerId: "Customer:1",
  dueAt,
  lane: "verify:ExternalAccount:new1",
  payload: { accountId: "ExternalAccount:new1" },
})
const refused = (refusal: object) => ({ _tag: "Refuse", refusal, changes: {} })
const dataOfBank: ExternalAccount = {
  currency: "KES",
  accountInfo: kes,
  status: "ACTIVE",
  beneficiaryVerificationStatus: "MATCHED",
  defaultUmaDepositAccount: false,
  isDeleted: false,
}

describe("a new external account", () => {
  it("is active once the verifier has matched it, and guards its customer", () => {
    const decision = created(bank)
    expect(decision).toMatchObject({
      status: 201,
      body: { id: "ExternalAccount:new1", status: "ACTIVE", customerId: "Customer:1" },
    })
    expect(accountOf(decision)).toEqual({
      ...owner,
      kind: "ExternalAccount",
      id: "ExternalAccount:new1",
      data: { ...dataOfBank, accountInfo: accountOf(decision)?.data.accountInfo },
    })
    const {
      claims,
      counters: _counters,
      inserts: _inserts,
      transitions: _transitions,
      ...parts
    } = partsWritten(decision)
    expect(parts).toEqual({ guards: [customerGuard] })
    expect(claims).toHaveLength(1)
  })

  it.each<[string, BeneficiaryResult, Partial<ExternalAccount>, number | undefined]>([
    ["matched", matched, { status: "ACTIVE", beneficiaryVerificationStatus: "MATCHED" }, undefined],
    [
      "under review",
      { _tag: "Result", status: "NOT_MATCHED", account: "UNDER_REVIEW" },
      { status: "UNDER_REVIEW", beneficiaryVerificationStatus: "NOT_MATCHED" },
      undefined,
    ],
    [
      "pending, of an account that is usable",
      { _tag: "Result", status: "PENDING" },
      { status: "ACTIVE", beneficiaryVerificationStatus: "PENDING" },
      undefined,
    ],
    [
      "inactive, with the name of the bank",
      { _tag: "Result", status: "NOT_MATCHED", account: "INACTIVE", verifiedData: { fullName: "Eve" } },
      {
        status: "INACTIVE",
        beneficiaryVerificationStatus: "NOT_MATCHED",
        beneficiaryVerifiedData: { fullName: "Eve" },
      },
      undefined,
    ],
    [
      "known later",
      { _tag: "Later", at: now + 700 },
      { status: "PENDING", beneficiaryVerificationStatus: "PENDING" },
      now + 700,
    ],
    [
      "not known",
      { _tag: "Unknown", cause: "no answer" },
      { status: "PENDING", beneficiaryVerificationStatus: "PENDING" },
      now,
    ],
  ])("whose beneficiary is %s", (_, result, data, dueAt) => {
    const decision = created(bank, { verification: result })
    expect(accountOf(decision)?.data).toMatchObject(data)
    expect(decision.changes?.jobs).toMatchObject(dueAt === undefined ? [] : [verification(dueAt)])
  })

  it.each<[string, Creation["request"], object, ReadonlyArray<string>, string]>([
    ["of the customer in a region of proofs", own, { customer: euCustomer }, ["EU"], "PENDING_OWNERSHIP_VERIFICATION"],
    ["of the customer elsewhere", own, { customer: euCustomer }, ["GB"], "ACTIVE"],
    ["of a customer without a region", own, {}, ["EU"], "ACTIVE"],
    ["of another person", { ...wallet, ownershipType: "THIRD_PARTY" }, { customer: euCustomer }, ["EU"], "ACTIVE"],
    ["that says nothing of its owner", wallet, { customer: euCustomer }, ["EU"], "ACTIVE"],
  ])("that is a wallet %s has no name check", (_, request, more, ownershipRegions, status) => {
    for (const result of [matched, { _tag: "Later", at: now } as const]) {
      const decision = created(request, { ...more, ownershipRegions, verification: result })
      expect(accountOf(decision)?.data).toMatchObject({ status })
      expect(accountOf(decision)?.data).not.toHaveProperty("beneficiaryVerificationStatus")
      expect(decision.changes?.jobs?.map(({ kind }) => kind)).toEqual(
        request.ownershipType === undefined ? [] : ["deposit.declared"],
      )
    }
  })

  it("of the platform has no customer, and needs a proof as soon as one region requires it", () => {
    const { customerId: _customer, ...ofPlatform } = own
    const decision = created(ofPlatform, { customer: undefined, ownershipRegions: ["EU"] })
    expect(accountOf(decision)).toMatchObject({
      customerId: null,
      data: { status: "PENDING_OWNERSHIP_VERIFICATION", isOfPlatform: true },
    })
    expect(decision.changes?.guards).toEqual([])
    expect(accountOf(created(ofPlatform, { customer: undefined }))?.data.status).toBe("ACTIVE")
    expect(accountOf(created(bank))?.data).not.toHaveProperty("isOfPlatform")
    expect(accountOf(created(bank))?.data).not.toHaveProperty("customerId")
  })

  it("takes the UMA deposits from the account that had them", () => {
    const before = externalOf("Customer:1", { defaultUmaDepositAccount: true })
    const request = { ...bank, defaultUmaDepositAccount: true }
    const decision = created(request, { depositAccount: before })
    expect(decision.changes?.updates).toEqual([
      { kind: "ExternalAccount", id: before.id, version: 1, data: { ...before.data, defaultUmaDepositAccount: false } },
    ])
    expect(accountOf(decision)?.data.defaultUmaDepositAccount).toBe(true)
    const claim = umaDepositClaims(before.data, owner).map((taken) => ({ _tag: "Taken" as const, claim: taken }))
    expect(created(request, { rejections: claim })).toMatchObject({ status: 201 })
  })

  it("of an agent is its customer's, and guards the agent", () => {
    const { customerId: _customer, ...request } = bank
    expect(ownerIdOf(request, agentCaller)).toBe("Customer:1")
    expect(ownerIdOf(request, tenant(owner.platformId))).toBeUndefined()
    expect(ownerIdOf({ ...request, customerId: "Customer:2" }, agentCaller)).toBe("Customer:2")
    const decision = created(request, { caller: agentCaller, agent })
    expect(accountOf(decision)?.customerId).toBe("Customer:1")
    expect(decision.changes?.guards).toEqual([{ kind: "Agent", id: "Agent:1", version: 4 }, customerGuard])
  })

  const sameAccount = (decision: ReturnType<typeof created>): ReadonlyArray<CommitRejection> => {
    const stored = accountOf(decision)
    return stored === undefined ? [] : [{ _tag: "Taken", claim: sameAccountClaim(stored.data, owner) }]
  }
  const other: CommitRejection = { _tag: "Taken", claim: { scope: "platform", key: "other" } }
  const stranger = { ...bank, customerId: "Customer:2" }
  const deleted = { ...customerOf(), data: { ...customerOf().data, isDeleted: true } }

  it.each<[string, ReturnType<typeof created>, object]>([
    [
      "that the bank does not know",
      created(bank, { verification: { _tag: "Invalid" } }),
      { code: "INVALID_BANK_ACCOUNT" },
    ],
    ["that exists already", created(bank, { rejections: sameAccount(created(bank)) }), { code: "CONFLICT" }],
    [
      "of a deleted customer",
      created(bank, { customer: deleted }),
      { details: { errors: [{ field: "customerId", message: "must be a customer of the platform" }] } },
    ],
    [
      "with both problems at once",
      created({ ...bank, currency: "PHP", accountInfo: php }, { customer: undefined, bankNames: ["BDO Unibank"] }),
      { code: "INVALID_INPUT", details: { errors: [{ field: "customerId" }, { field: "accountInfo.bankName" }] } },
    ],
    [
      "of another customer than the agent's, whatever its permissions",
      created(stranger, { caller: agentCaller, agent: { ...agent, data: { ...agent.data, isPaused: true } } }),
      { details: { reason: "CUSTOMER_NOT_ALLOWED" } },
    ],
    [
      "of an agent without the permission, before its fields",
      created(bank, { caller: agentCaller, agent: { ...agent, data: agentWith() }, customer: deleted }),
      { code: "FORBIDDEN" },
    ],
  ])("%s is refused", (_, decision, refusal) => {
    expect(decision).toMatchObject(refused(refusal))
    expect(decision.changes).toEqual({})
  })

  it("is tried again where an earlier attempt met the same account, and the last one another claim", () => {
    const rejections = [...sameAccount(created(bank)), other]
    expect(created(bank, { rejections })).toMatchObject({ status: 201 })
  })

  it("is not decided before the verifier was asked", () => {
    const creation = { request: bank, strictChecks: false, ownershipRegions: [] }
    const loaded = { agent: undefined, customer: customerOf(), depositAccount: undefined }
    expect(() => createExternalAccount(creation)(loaded, contextOf())).toThrow("the verifier was not asked")
    const accepted = acceptedAccountInfo(creation, loaded, {}, tenant(owner.platformId))
    expect(Result.isSuccess(accepted)).toBe(true)
  })
})
