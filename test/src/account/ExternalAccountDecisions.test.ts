/**
 * What the decisions about external accounts write: transitions with their events, results of verifications, and proofs of ownership.
 * Source: wire contract 2.6 and 2.7; D-050 to D-054.
 */
import type { AccountInfo, ExternalAccount } from "@countersign/core/models"
import type { Stored } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
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
import {
  openChallenge,
  recordLiveness,
  signatureCheckOf,
  verifyOwnership,
} from "../../../packages/core/src/decision/account/OwnershipDecision.ts"
import { context, dataOf, dated, eventsOf, ids, jobsOf, now } from "./WrittenChanges.ts"

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
