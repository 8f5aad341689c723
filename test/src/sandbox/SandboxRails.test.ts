/** The rails of the sandbox: each magic suffix, its field, and the same answer to a repeated call. */

import { type AccountInfo, type AccountTypeRow, AccountTypes } from "@countersign/core/models"
import {
  forTransfer,
  type PullPurpose,
  type PullRequest,
  QuotePull,
  QuotePullCriteria,
  type QuotePullCriterion,
  type RailOutcome,
  Rails,
} from "@countersign/core/ports"
import { SandboxRails, TransferSuffixes } from "@countersign/core/sandbox"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

const submittedAt = 1_000

const requestFor = (accountInfo: AccountInfo): PullRequest => ({
  reference: "Transaction:1",
  source: { accountId: "ExternalAccount:1", currency: "USD", accountInfo },
  amount: 500,
  submittedAt,
})

const usd = (accountNumber: string): AccountInfo => ({
  accountType: "USD_ACCOUNT",
  accountNumber,
  routingNumber: "021000021",
})

const pull = (accountInfo: AccountInfo) =>
  Rails.use((rails) => rails.pull(requestFor(accountInfo))).pipe(Effect.provide(SandboxRails.layer))

const refused = (reason: Extract<RailOutcome, { _tag: "Refused" }>["reason"]): RailOutcome => ({
  _tag: "Refused",
  reason,
})

// Proves: SBX-TRANSFER_IN-002, SBX-TRANSFER_IN-003, SBX-TRANSFER_IN-004, SBX-TRANSFER_IN-OTHER, SBX-ID-01
it.effect.each<[string, RailOutcome]>([
  ["12345678001", { _tag: "Done" }],
  ["12345678002", refused("INSUFFICIENT_FUNDS")],
  ["12345678003", refused("ACCOUNT_INVALID")],
  ["12345678004", refused("BANK_REJECTED")],
  ["12345678005", { _tag: "Later", at: submittedAt + 30_000 }],
  ["12345678006", { _tag: "Done" }],
  ["12345678000", { _tag: "Done" }],
  ["00212345678", { _tag: "Done" }],
])("a pull from %s has the outcome of its suffix, also when repeated", ([accountNumber, outcome]) =>
  Effect.gen(function* () {
    yield* TestClock.adjust(submittedAt)
    expect(yield* pull(usd(accountNumber))).toEqual(outcome)
    expect(yield* pull(usd(accountNumber))).toEqual(outcome)
  }),
)

it("has a case for every suffix of the table", () => {
  expect([...TransferSuffixes.keys].sort()).toEqual(["002", "003", "004", "005"])
})

it.effect("a pull from 005 is pending for 30 seconds and timed out at any time after that", () =>
  Effect.gen(function* () {
    yield* TestClock.adjust(submittedAt + 29_999)
    expect(yield* pull(usd("9005"))).toEqual({ _tag: "Later", at: submittedAt + 30_000 })
    yield* TestClock.adjust(1)
    expect(yield* pull(usd("9005"))).toEqual(refused("TIMED_OUT"))
    yield* TestClock.adjust("1 day")
    expect(yield* pull(usd("9005"))).toEqual(refused("TIMED_OUT"))
  }),
)

// Proves: SBX-ID-02, SBX-ID-03, SBX-ID-04, SBX-ID-05
it.effect.each<[string, AccountInfo]>([
  ["iban", { accountType: "EUR_ACCOUNT", iban: "DE89370400440532013002" }],
  ["the account number before the iban", { ...usd("1002"), iban: "DE89370400440532013003" }],
  ["clabeNumber", { accountType: "MXN_ACCOUNT", clabeNumber: "032180000118359002" }],
  ["the user part of a PIX e-mail key", { accountType: "BRL_ACCOUNT", pixKey: "ana.002@example.com" }],
  ["the user part of a vpa", { accountType: "INR_ACCOUNT", vpa: "ravi002@bank" }],
  ["a wallet's address", { accountType: "ETHEREUM_WALLET", address: `0x${"a".repeat(37)}002` }],
  ["phoneNumber", { accountType: "KES_ACCOUNT", phoneNumber: "+254712345002" }],
])("reads the suffix of %s", ([, accountInfo]) =>
  Effect.gen(function* () {
    expect(yield* pull(accountInfo)).toEqual(refused("INSUFFICIENT_FUNDS"))
  }),
)

it.effect("pulls from an account without an identifier", () =>
  Effect.gen(function* () {
    expect(yield* pull({ accountType: "USD_ACCOUNT" })).toEqual({ _tag: "Done" })
  }),
)

const inspect = (
  accountInfo: AccountInfo,
  amount: number | undefined,
  purpose = forTransfer,
  criterion: QuotePullCriterion = "DECLARED",
) =>
  Rails.use((rails) =>
    rails.inspectPull({ accountId: "ExternalAccount:1", currency: "USD", accountInfo }, amount, purpose),
  ).pipe(Effect.provide(SandboxRails.layer), Effect.provideService(QuotePull, criterion))

const types: ReadonlyArray<readonly [string, AccountTypeRow]> = AccountTypes.entries
const ways = types.flatMap(([accountType, { routes: all }]) => all.map((way) => ({ accountType, way })))

it.effect.each(ways)(
  "reports whether $accountType can be pulled from, and the balance of a bank account",
  ({ accountType, way }) =>
    Effect.gen(function* () {
      const expected =
        way.kind === "bank"
          ? { pullable: true, reported: 10_000, funds: "unknown" }
          : { pullable: false, funds: "unknown" }
      const identifiers = Object.fromEntries(way.requiredFields.map((name) => [name, "1"]))
      for (const amount of [undefined, 1, 10_001]) {
        expect(yield* inspect({ accountType, ...identifiers }, amount)).toEqual(expected)
      }
    }),
)

it.effect.each(["UNKNOWN_ACCOUNT", "toString", ""])("does not pull from the unknown type %j", (accountType) =>
  Effect.gen(function* () {
    expect(yield* inspect({ accountType }, 1)).toEqual({ pullable: false, funds: "unknown" })
  }),
)

const quote = (ownershipType?: "FIRST_PARTY" | "THIRD_PARTY", isPayersAccount = true): PullPurpose => ({
  _tag: "Quote",
  ownershipType,
  isPayersAccount,
})
const mexican = { accountType: "MXN_ACCOUNT", clabeNumber: "032180000118359719" }
const wallet = { accountType: "BASE_WALLET", address: `0x${"a1".repeat(20)}` }

// Each line has the criteria that pull; the others wait for the payer.
it.effect.each<[string, AccountInfo, PullPurpose, ReadonlyArray<QuotePullCriterion>]>([
  ["a declared US account of the payer", usd("1000"), quote("FIRST_PARTY"), ["DECLARED", "BANK_RAILS"]],
  ["a US account without a declaration", usd("1000"), quote(), ["BANK_RAILS"]],
  ["a US account of a third party", usd("1000"), quote("THIRD_PARTY"), ["BANK_RAILS"]],
  ["a declared US account of another customer", usd("1000"), quote("FIRST_PARTY", false), ["BANK_RAILS"]],
  ["a declared account without ACH", mexican, quote("FIRST_PARTY"), ["BANK_RAILS"]],
  ["a declared wallet", wallet, quote("FIRST_PARTY"), []],
])("pulls the money of a quote from %s by the deployment's criterion", ([, accountInfo, purpose, pulling]) =>
  Effect.gen(function* () {
    for (const criterion of QuotePullCriteria.keys) {
      const { pullable } = yield* inspect(accountInfo, undefined, purpose, criterion)
      expect([criterion, pullable]).toEqual([criterion, pulling.includes(criterion)])
    }
  }),
)

it.effect("pulls a transfer from any bank account under each criterion", () =>
  Effect.gen(function* () {
    for (const criterion of QuotePullCriteria.keys) {
      expect(yield* inspect(mexican, 1, forTransfer, criterion)).toMatchObject({ pullable: true })
    }
  }),
)

const push = (accountNumber: string) =>
  Rails.use((rails) => {
    const { source, ...request } = requestFor(usd(accountNumber))
    return rails.push({ ...request, destination: source })
  }).pipe(Effect.provide(SandboxRails.layer))

// Proves: SBX-TRANSFER_OUT-002, SBX-TRANSFER_OUT-003, SBX-TRANSFER_OUT-004, SBX-TRANSFER_OUT-OTHER
it.effect.each<[string, RailOutcome]>([
  ["1001", { _tag: "Done" }],
  ["1002", refused("INSUFFICIENT_FUNDS")],
  ["1003", refused("ACCOUNT_INVALID")],
  ["1004", refused("BANK_REJECTED")],
  ["1005", { _tag: "Later", at: submittedAt + 30_000, isQueued: true }],
])("a push to %s has the outcome of its suffix, also when repeated", ([accountNumber, outcome]) =>
  Effect.gen(function* () {
    yield* TestClock.adjust(submittedAt)
    expect(yield* push(accountNumber)).toEqual(outcome)
    expect(yield* push(accountNumber)).toEqual(outcome)
  }),
)

const chainHashes: { readonly [accountType: string]: RegExp | undefined } = {
  SPARK_WALLET: /^[0-9a-f]{64}$/u,
  TRON_WALLET: /^[0-9a-f]{64}$/u,
  SOLANA_WALLET: /^[1-9A-HJ-NP-Za-km-z]{86,88}$/u,
  POLYGON_WALLET: /^0x[0-9a-f]{64}$/u,
  BASE_WALLET: /^0x[0-9a-f]{64}$/u,
  ETHEREUM_WALLET: /^0x[0-9a-f]{64}$/u,
  PLASMA_WALLET: /^0x[0-9a-f]{64}$/u,
}

it.effect.each(AccountTypes.keys)("a push to a %s has the hash of its network, if it is on one", (accountType) =>
  Effect.gen(function* () {
    const { source: destination, ...request } = requestFor({ accountType })
    const outcome = yield* Rails.use((rails) => rails.push({ ...request, destination }))
    const hash = chainHashes[accountType]
    const hashed = hash === undefined ? {} : { transactionHash: expect.stringMatching(hash) }
    expect(outcome).toEqual({ _tag: "Done", ...hashed })
  }).pipe(Effect.provide(SandboxRails.layer)),
)

it.effect(
  "a push to a wallet and a pull from it have stable hashes of their own, which follow from the reference",
  () =>
    Effect.gen(function* () {
      const rails = yield* Rails
      const { source, ...request } = requestFor({ accountType: "BASE_WALLET", address: `0x${"a1".repeat(20)}` })
      const hashOf = (outcome: { readonly _tag: string; readonly transactionHash?: string }) => outcome.transactionHash
      const pushOf = (reference: string) => rails.push({ ...request, reference, destination: source })
      const [first, again, other, pulled] = [
        yield* pushOf("Transaction:1"),
        yield* rails.inquire({ _tag: "Push", request: { ...request, destination: source } }),
        yield* pushOf("Transaction:2"),
        yield* rails.pull({ ...request, source }),
      ].map(hashOf)
      expect(first).toMatch(/^0x[0-9a-f]{64}$/u)
      expect(again).toBe(first)
      expect(new Set([first, other, pulled]).size).toBe(3)
    }).pipe(Effect.provide(SandboxRails.layer)),
)

it.effect("completes a refund of a push one second after its start", () =>
  Effect.gen(function* () {
    const refund = Rails.use((rails) =>
      rails.refund({
        reference: "Transaction:1",
        destination: requestFor(usd("1002")).source,
        amount: 5,
        initiatedAt: 1000,
      }),
    ).pipe(Effect.provide(SandboxRails.layer))
    yield* TestClock.adjust(1999)
    expect(yield* refund).toEqual({ _tag: "Later", at: 2000 })
    yield* TestClock.adjust(1)
    expect(yield* refund).toEqual({ _tag: "Done" })
  }),
)

it.effect.each(["pull", "push"] as const)("cancels a %s only while it is pending", (direction) =>
  Effect.gen(function* () {
    const cancel = (accountNumber: string) =>
      Rails.use((rails) =>
        rails.cancel({
          reference: "Transaction:1",
          direction,
          account: requestFor(usd(accountNumber)).source,
          submittedAt,
        }),
      ).pipe(Effect.provide(SandboxRails.layer))
    yield* TestClock.adjust(submittedAt + 29_999)
    expect(yield* cancel("1005")).toEqual({ _tag: "Done" })
    expect(yield* cancel("1001")).toEqual(refused("BANK_REJECTED"))
    yield* TestClock.adjust(1)
    expect(yield* cancel("1005")).toEqual(refused("BANK_REJECTED"))
  }),
)
