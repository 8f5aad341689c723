/**
 * What the decisions about accounts write: openings, transitions with their events, results of verifications, proofs, and funding
 * instructions.
 * Source: wire contract 2.6, 2.7 and 5.9; wire contract areas 2.12.
 */
import { tenant } from "@countersign/core"
import type { AccountInfo, ExternalAccount, InternalAccount } from "@countersign/core/models"
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  accountStatusEvents,
  collectionJob,
  openAccounts,
} from "../../../packages/core/src/decision/account/AccountChanges.ts"
import {
  continueOpenings,
  openMissingAccounts,
} from "../../../packages/core/src/decision/account/AccountOpeningDecision.ts"
import {
  applyBeneficiaryAnswer,
  declaredJobs,
  transitionAccount,
} from "../../../packages/core/src/decision/account/ExternalAccountChanges.ts"
import {
  postponeVerification,
  removeExternalAccount,
  setExternalAccountStatus,
} from "../../../packages/core/src/decision/account/ExternalAccountDecision.ts"
import { decideCollection, recordFundingSet } from "../../../packages/core/src/decision/account/FundingSetDecision.ts"
import {
  openChallenge,
  recordLiveness,
  signatureCheckOf,
  verifyOwnership,
} from "../../../packages/core/src/decision/account/OwnershipDecision.ts"
import type { DecisionContext } from "../../../packages/core/src/decision/Decision.ts"
import type { Changes } from "../../../packages/core/src/store/Changes.ts"

const now = Date.parse("2026-03-02T08:00:00Z")
const owner = { platformId: "Platform:1", customerId: "Customer:1" }
const ofPlatform = { ...owner, customerId: null }
const ids = (type: string) => `${type}:new`
const context: DecisionContext = { now, ids, caller: tenant(owner.platformId), requestId: "Request:1", rejections: [] }
const dated = { ...owner, version: 3, createdAt: 1, updatedAt: 2 }

const external = (
  data: Partial<ExternalAccount> = {},
  accountInfo: AccountInfo = { accountType: "GBP_ACCOUNT" },
  more: Partial<Stored<"ExternalAccount">> = {},
): Stored<"ExternalAccount"> => ({
  ...dated,
  kind: "ExternalAccount",
  id: "ExternalAccount:1",
  data: {
    currency: "GBP",
    status: "PENDING",
    defaultUmaDepositAccount: false,
    accountInfo,
    isDeleted: false,
    ...data,
  },
  ...more,
})
const address = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23"
const wallet = (data: Partial<ExternalAccount> = {}, info: Partial<AccountInfo> = {}) =>
  external(
    { currency: "USDC", ownershipType: "FIRST_PARTY", status: "PENDING_OWNERSHIP_VERIFICATION", ...data },
    { accountType: "BASE_WALLET", address, ...info },
  )

const internal = (data: Partial<InternalAccount> = {}): Stored<"InternalAccount"> => ({
  ...dated,
  kind: "InternalAccount",
  id: "InternalAccount:1",
  data: { type: "INTERNAL_FIAT", status: "ACTIVE", currency: "USD", ...data },
})

const dataOf = ({ updates = [] }: Changes) => updates.map(({ data }) => data)
const eventsOf = ({ events = [] }: Changes) =>
  events.map(({ customerId, subject, type }) => [type, subject, customerId])
const jobsOf = ({ jobs = [] }: Changes) => jobs.filter(({ kind }) => !kind.startsWith("webhook"))

describe("the opening of accounts", () => {
  const opened = (changes: Changes) =>
    (changes.inserts ?? []).flatMap(({ data, kind }) =>
      kind === "InternalAccount" ? [`${data.currency} ${data.type} ${data.isPlatform ?? false} ${data.status}`] : [],
    )

  it("gives a customer one account per currency, and a wallet if the platform has USDB", () => {
    const changes = openAccounts(ids, now, owner, ["USD", "USDB"])
    expect(opened(changes)).toEqual([
      "USD INTERNAL_FIAT false ACTIVE",
      "USDB INTERNAL_CRYPTO false ACTIVE",
      "USDB EMBEDDED_WALLET false ACTIVE",
    ])
    expect(openAccounts(ids, now, owner, ["EUR"]).ledgerAccounts?.map(({ id }) => id)).toEqual([
      "available:InternalAccount:new",
      "held:InternalAccount:new",
      "outside:Customer:1:EUR",
    ])
    expect(changes.inserts?.map(({ kind }) => kind)).not.toContain("Credential")
    expect(opened(openAccounts(ids, now, owner, ["EUR"]))).toEqual(["EUR INTERNAL_FIAT false ACTIVE"])
  })

  it("gives the platform no wallet, and marks its accounts", () => {
    const changes = openAccounts(ids, now, ofPlatform, ["USD", "USDB"])
    expect(opened(changes)).toEqual(["USD INTERNAL_FIAT true ACTIVE", "USDB INTERNAL_CRYPTO true ACTIVE"])
    expect(changes.jobs).toEqual([])
  })

  it("asks for a collection account of a customer in US dollars alone", () => {
    expect(openAccounts(ids, now, owner, ["USD", "EUR"]).jobs).toEqual([
      collectionJob(ids, owner, "InternalAccount:new", now),
    ])
    expect(collectionJob(ids, owner, "InternalAccount:1", 5)).toMatchObject({
      kind: "account.collection",
      customerId: owner.customerId,
      dueAt: 5,
      payload: { accountId: "InternalAccount:1" },
    })
  })

  it("starts a wallet with the e-mail address of its owner, and leaves out what is open", () => {
    const present = [
      { currency: "USDB", type: "INTERNAL_CRYPTO" },
      { currency: "USD", type: "INTERNAL_CRYPTO" },
    ] as const
    const changes = openAccounts(ids, now, owner, ["USD", "USDB"], {
      email: "ada@example.com",
      present,
      rootId: "root",
    })
    expect(opened(changes)).toEqual(["USD INTERNAL_FIAT false ACTIVE", "USDB EMBEDDED_WALLET false ACTIVE"])
    expect(changes.inserts?.flatMap(({ data, kind }) => (kind === "Wallet" ? [data] : []))).toMatchObject([
      { rootId: "root" },
    ])
  })

  it("continues after the last customer of a page, and ends with the last page", () => {
    const finish: Changes = { finishes: [{ id: "Job:1", attempt: 1 }] }
    const next = continueOpenings({ createdAt: 7, id: "Customer:9" }, finish)(undefined, context).changes
    expect(next?.jobs).toMatchObject([
      { kind: "accounts.open", customerId: null, dueAt: now, payload: { after: { createdAt: 7, id: "Customer:9" } } },
    ])
    expect(next?.finishes).toEqual(finish.finishes)
    expect(continueOpenings(undefined, finish)(undefined, context).changes).toEqual(finish)
  })

  it("passes over a customer that is deleted or has no account", () => {
    const customer = { ...dated, kind: "Customer", id: "Customer:1", data: { isDeleted: true } } as Stored<"Customer">
    const platform = { ...dated, kind: "Platform", id: "Platform:1", data: {} } as Stored<"Platform">
    const accounts = [internal().data]
    const present = { ...customer, data: { ...customer.data, isDeleted: false } }
    for (const loaded of [
      { accounts, platform, customer },
      { accounts, platform, customer: undefined },
      { accounts, platform: undefined, customer: present },
      { accounts: [], platform, customer: present },
    ])
      expect(openMissingAccounts("root")(loaded, context)).toMatchObject({ status: 200, body: null, changes: {} })
  })
})

describe("the events of an internal account", () => {
  const events = (before: InternalAccount["status"], after: InternalAccount["status"]) =>
    eventsOf(accountStatusEvents(ids, now, internal({ status: before }), internal({ status: after })))
  const of = (type: string) => [`INTERNAL_ACCOUNT.${type}`, "InternalAccount:1", owner.customerId]

  it("report the status, and the instructions where they come or go", () => {
    const both = [of("STATUS_UPDATED"), of("FUNDING_INSTRUCTIONS_UPDATED")]
    expect(events("ACTIVE", "FROZEN")).toEqual(both)
    expect(events("FROZEN", "ACTIVE")).toEqual(both)
    expect(events("FROZEN", "CLOSED")).toEqual([of("STATUS_UPDATED")])
  })
})

describe("a change of funding instructions", () => {
  const recorded = (data: Partial<InternalAccount>, report: { readonly hasCollectionAccount?: boolean }) =>
    recordFundingSet(report)(internal(data), context).changes ?? {}

  it("stores a new collection account and its withdrawal, with an event each", () => {
    const added = recorded({}, { hasCollectionAccount: true })
    expect([dataOf(added), eventsOf(added).length]).toEqual([[{ ...internal().data, hasCollectionAccount: true }], 1])
    const removed = recorded({ hasCollectionAccount: true }, { hasCollectionAccount: false })
    expect([dataOf(removed), eventsOf(removed).length]).toEqual([[internal().data], 1])
  })

  it("keeps what other instructions do not change, and emits their event", () => {
    for (const data of [{}, { hasCollectionAccount: true as const }]) {
      const changes = recorded(data, {})
      expect([dataOf(changes), eventsOf(changes).length]).toEqual([[internal(data).data], 1])
    }
  })

  it("writes nothing for what is known, and no event for an account that is not active", () => {
    expect(recorded({}, { hasCollectionAccount: false })).toEqual({})
    expect(recorded({ hasCollectionAccount: true }, { hasCollectionAccount: true })).toEqual({})
    const frozen = recorded({ status: "FROZEN" }, { hasCollectionAccount: true })
    expect([dataOf(frozen).length, eventsOf(frozen)]).toEqual([1, []])
  })

  it("follows the answer about a collection account: stored, asked again, or dropped", () => {
    const decided = (answer: Parameters<typeof decideCollection>[0]) =>
      decideCollection(answer, {})(internal(), context).changes ?? {}
    expect(dataOf(decided({ _tag: "Available" }))).toMatchObject([{ hasCollectionAccount: true }])
    expect(decided({ _tag: "Later", at: 9 }).jobs).toEqual([collectionJob(ids, owner, "InternalAccount:1", 9)])
    expect(decided({ _tag: "None" }).jobs).toEqual([])
  })
})

describe("a transition of an external account", () => {
  it("emits the whole account, and ends its trust unless it is active", () => {
    const trusted = external({ status: "ACTIVE", isTrusted: true })
    const { account, changes } = transitionAccount(ids, now, trusted, "Review")
    expect(account).toMatchObject({ version: 4, updatedAt: now, data: { status: "UNDER_REVIEW" } })
    expect(account.data).not.toHaveProperty("isTrusted")
    expect(dataOf(changes)).toEqual([account.data])
    expect(eventsOf(changes)).toEqual([["EXTERNAL_ACCOUNT.STATUS_UPDATED", "ExternalAccount:1", "Customer:1"]])
    const activated = transitionAccount(ids, now, external({ isTrusted: true }), "Activate")
    expect(activated.account.data).toMatchObject({ status: "ACTIVE", isTrusted: true })
  })

  it("to active releases the deposits of a customer's declared wallet", () => {
    const job = {
      kind: "deposit.declared",
      customerId: "Customer:1",
      dueAt: now,
      lane: "deposit.declared:ExternalAccount:1",
      payload: { accountId: "ExternalAccount:1" },
    }
    expect(jobsOf(transitionAccount(ids, now, wallet(), "Prove").changes)).toMatchObject([job])
    expect(jobsOf(transitionAccount(ids, now, wallet(), "FailProof").changes)).toEqual([])
    expect(declaredJobs(ids, now, wallet()).jobs).toMatchObject([job])
    expect(declaredJobs(ids, now, { ...wallet(), customerId: null })).toEqual({})
    expect(declaredJobs(ids, now, external())).toEqual({})
  })

  it("of the sandbox ends an open challenge, and is refused where the machine has none", () => {
    const challenge = { method: "LIVENESS", expiresAt: 5 } as const
    const decided = setExternalAccountStatus("ACTIVE")(wallet({ challenge }), context)
    expect(decided).toMatchObject({ status: 200, body: { status: "ACTIVE" } })
    expect(dataOf(decided.changes ?? {})[0]).not.toHaveProperty("challenge")
    expect(decided.changes?.inserts).toMatchObject([
      { kind: "AuditRecord", data: { details: { from: "PENDING_OWNERSHIP_VERIFICATION", to: "ACTIVE" } } },
    ])
    expect(setExternalAccountStatus("PENDING")(external({ status: "ACTIVE" }), context)).toMatchObject({
      refusal: {
        code: "INVALID_STATE_TRANSITION",
        message: "An external account does not go from ACTIVE to PENDING.",
        details: { from: "ACTIVE", to: "PENDING" },
      },
    })
  })
})

describe("the result of a verification", () => {
  const applied = (
    data: Partial<ExternalAccount>,
    answer: Parameters<typeof applyBeneficiaryAnswer>[3] = { _tag: "Result", status: "MATCHED" },
  ) => applyBeneficiaryAnswer(ids, now, external(data), answer)

  it("makes a pending account active, or what it names, and keeps any other status", () => {
    expect(dataOf(applied({}))).toMatchObject([{ status: "ACTIVE", beneficiaryVerificationStatus: "MATCHED" }])
    expect(dataOf(applied({}, { _tag: "Result", status: "PENDING", account: "UNDER_REVIEW" }))).toMatchObject([
      { status: "UNDER_REVIEW", beneficiaryVerificationStatus: "PENDING" },
    ])
    expect(dataOf(applied({ status: "UNDER_REVIEW" }))).toMatchObject([{ status: "UNDER_REVIEW" }])
    expect(dataOf(applied({}, { _tag: "Invalid" }))).toEqual([external({ status: "INACTIVE" }).data])
  })

  it("stores another name of the holder, and writes nothing if it is repeated", () => {
    const known = { status: "ACTIVE", beneficiaryVerificationStatus: "MATCHED" } as const
    const named = (fullName: string) => ({ _tag: "Result", status: "MATCHED", verifiedData: { fullName } }) as const
    expect(applied(known)).toEqual({})
    const changes = applied(known, named("Ada"))
    expect(dataOf(changes)).toMatchObject([{ beneficiaryVerifiedData: { fullName: "Ada" } }])
    expect(eventsOf(changes)).toEqual([])
    const stored = { ...known, beneficiaryVerifiedData: { fullName: "Ada" } }
    expect(applied(stored, named("Ada"))).toEqual({})
    expect(dataOf(applied(stored, named("Eve")))).toHaveLength(1)
    expect(dataOf(applied(stored, { ...named("Ada"), status: "NOT_MATCHED" }))).toHaveLength(1)
    expect(applied({ isDeleted: true })).toEqual({})
  })

  it("is asked for again at the time that the verifier names, at least a second later", () => {
    const jobs = (at: number) => postponeVerification(external(), at, {})(undefined, context).changes?.jobs
    expect(jobs(now + 5000)).toMatchObject([
      {
        kind: "account.verify",
        customerId: "Customer:1",
        dueAt: now + 5000,
        lane: "verify:ExternalAccount:1",
        payload: { accountId: "ExternalAccount:1" },
      },
    ])
    expect(jobs(now)).toMatchObject([{ dueAt: now + 1000 }])
  })
})

describe("the deletion of an external account", () => {
  it("is refused for an account that does not exist or that its owner trusts", () => {
    const removed = (account: Stored<"ExternalAccount"> | undefined) =>
      removeExternalAccount({ agent: undefined, account })
    expect(removed(undefined)).toMatchObject({ refusal: { code: "REFERENCE_NOT_FOUND" } })
    expect(removed(external({ isTrusted: true }))).toMatchObject({ refusal: { code: "BENEFICIARY_TRUSTED" } })
    expect(removed(external())).toMatchObject({ status: 204, body: null })
  })
})

describe("a proof of ownership", () => {
  const expiresAt = now + 1
  const signing = { method: "WALLET_SIGNATURE", message: "Sign", expiresAt } as const
  const methodRefusal = (message: string) => ({
    refusal: { code: "INVALID_INPUT", details: { errors: [{ field: "method", message }] } },
  })

  it("by signature has a challenge of ten minutes that replaces an open one", () => {
    const decided = openChallenge("WALLET_SIGNATURE", "00ff")(
      { account: wallet({ challenge: signing }), liveness: undefined },
      context,
    )
    expect(decided).toMatchObject({
      status: 201,
      body: { method: "WALLET_SIGNATURE", expiresAt: "2026-03-02T08:10:00Z" },
    })
    expect(dataOf(decided.changes ?? {})).toMatchObject([
      { status: "PENDING_OWNERSHIP_VERIFICATION", challenge: { expiresAt: now + 600_000 } },
    ])
    expect(eventsOf(decided.changes ?? {})).toEqual([])
    const again = openChallenge("LIVENESS", "")(
      { account: wallet({ status: "UNVERIFIED" }), liveness: { verificationLink: "https://x.example", expiresAt } },
      context,
    )
    expect(dataOf(again.changes ?? {})).toMatchObject([
      { status: "PENDING_OWNERSHIP_VERIFICATION", challenge: { method: "LIVENESS", expiresAt } },
    ])
    expect(eventsOf(again.changes ?? {})).toHaveLength(1)
  })

  it("is refused for a method that is not offered, and for an account without a proof to give", () => {
    expect(openChallenge("LIVENESS", "")({ account: wallet(), liveness: undefined }, context)).toMatchObject(
      methodRefusal("must be WALLET_SIGNATURE: there is no liveness check here"),
    )
    expect(
      openChallenge("WALLET_SIGNATURE", "")({ account: external({ status: "ACTIVE" }), liveness: undefined }, context),
    ).toMatchObject({ refusal: { code: "CONFLICT" } })
  })

  it("is checked without the spaces around the signature, by the scheme of the request", () => {
    const check = (account: Stored<"ExternalAccount">, signatureScheme?: "electrum") =>
      signatureCheckOf(account, { signature: " 0xab\n", ...(signatureScheme === undefined ? {} : { signatureScheme }) })
    const expected = { kind: "EVM", address, message: "Sign", signature: "0xab", scheme: "bip137" }
    expect(check(wallet({ challenge: signing }))).toEqual(expected)
    expect(check(wallet({ challenge: signing }), "electrum")).toEqual({ ...expected, scheme: "electrum" })
    expect(check(wallet())).toBeUndefined()
    expect(check(wallet({ challenge: { method: "LIVENESS", expiresAt } }))).toBeUndefined()
    expect(check(wallet({ challenge: signing, ownershipType: "THIRD_PARTY" }))).toBeUndefined()
    expect(check(external({ challenge: signing }))).toBeUndefined()
  })

  it.each([
    [true, now + 1, undefined, "ACTIVE"],
    [true, now, "CHALLENGE_EXPIRED", "UNVERIFIED"],
    [false, now + 1, "SIGNATURE_INVALID", "UNVERIFIED"],
    [false, now, "CHALLENGE_EXPIRED", "UNVERIFIED"],
  ] as const)("signed: %s, until %d, ends with %s", (isSigned, end, reason, status) => {
    const account = wallet({ challenge: { ...signing, expiresAt: end } })
    const decided = verifyOwnership({ account, isSigned }, context)
    const [data] = dataOf(decided.changes ?? {})
    expect(data).toMatchObject({ status })
    expect(data).not.toHaveProperty("challenge")
    if (reason === undefined) {
      expect(decided).toMatchObject({ status: 200, body: { status }, changes: { validUntil: end } })
      return
    }
    const message = {
      CHALLENGE_EXPIRED: "comes too late: the challenge has expired",
      SIGNATURE_INVALID: "is not the wallet's signature of the message",
    }[reason]
    expect(decided).toMatchObject({
      refusal: {
        code: "INVALID_INPUT",
        message: `signature: ${message}; ask for a new challenge.`,
        details: { reason, errors: [{ field: "signature", message }] },
      },
    })
  })

  it("needs an open challenge", () => {
    const refusal = {
      code: "CONFLICT",
      message: "No signature challenge is open: ask for one first.",
      details: { reason: "NO_CHALLENGE_OPEN" },
    }
    expect(verifyOwnership({ account: wallet(), isSigned: true }, context)).toMatchObject({ refusal })
    const open = wallet({ challenge: signing })
    expect(verifyOwnership({ account: open, isSigned: undefined }, context)).toMatchObject({ refusal })
  })

  it("by liveness is stored once, and not for another challenge", () => {
    const reported = (isOwner: boolean, challenge?: ExternalAccount["challenge"]) =>
      dataOf(recordLiveness(isOwner)(wallet(challenge === undefined ? {} : { challenge }), context).changes ?? {})
    const open = { method: "LIVENESS", expiresAt } as const
    expect(reported(true, open)).toMatchObject([{ status: "ACTIVE" }])
    expect(reported(false, open)).toMatchObject([{ status: "UNVERIFIED" }])
    expect(reported(true, signing)).toEqual([])
    expect(reported(true)).toEqual([])
  })
})
