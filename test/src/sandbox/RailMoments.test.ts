/**
 * The rails of the sandbox for quotes and held deposits, by suffix, scenario and moment.
 * Source: wire contract 7.4 and 11 (49); wire contract areas 2.13; D-128, D-251, D-401.
 */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { AccountInfo } from "../../../packages/core/src/model/account/ExternalAccount.ts"
import { type PushRequest, type RailOutcome, Rails } from "../../../packages/core/src/ports/Rails.ts"
import { layer, refundMillis, reportedAmount } from "../../../packages/core/src/sandbox/SandboxRails.ts"

const submittedAt = 1000
const second = 1000
const done: RailOutcome = { _tag: "Done" }
const refused = (reason: string) => ({ _tag: "Refused", reason })
const later = (at: number) => ({ _tag: "Later", at })

const bank = (accountNumber: string): AccountInfo => ({ accountType: "USD_ACCOUNT", accountNumber })
const uma = (umaAddress: string): AccountInfo => ({ accountType: "UMA_ADDRESS", umaAddress })
const depositor = (accountIdentifier: string): AccountInfo => ({ accountType: "DEPOSIT_ORIGINATOR", accountIdentifier })
const accountOf = (accountInfo: AccountInfo) =>
  ({ accountId: "ExternalAccount:1", currency: "USD", accountInfo }) as const
const requestOf = (accountInfo: AccountInfo, more: Partial<PushRequest> = {}): PushRequest => ({
  reference: "Transaction:1",
  destination: accountOf(accountInfo),
  amount: 500,
  submittedAt,
  quoteId: "Quote:1",
  ...more,
})
const at = <A>(millis: number, answer: (rails: Rails["Service"]) => Effect.Effect<A>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(millis)
    return yield* Rails.use(answer)
  }).pipe(Effect.provide(layer))
const push = (accountInfo: AccountInfo, millis: number, more: Partial<PushRequest> = {}) =>
  at(millis, (rails) => rails.push(requestOf(accountInfo, more)))

it("reports ten thousand, and returns money after a second", () => {
  expect([reportedAmount, refundMillis]).toEqual([10_000, 1000])
})

it.effect.each<[string, AccountInfo, number, object]>([
  ["to any account is done", bank("1001"), submittedAt, done],
  ["to 002 fails", bank("1002"), submittedAt, refused("EXECUTION_FAILED")],
  ["to 003 is done after six minutes, not before", bank("1003"), submittedAt + 359_999, later(submittedAt + 360_000)],
  ["to 003 is done at six minutes", bank("1003"), submittedAt + 360_000, done],
  ["to 004 fails", bank("1004"), submittedAt, refused("COUNTERPARTY_FAILED")],
  ["to 006 is cancelled", bank("1006"), submittedAt, { _tag: "Cancelled" }],
  ["to 007 fails", bank("1007"), submittedAt, refused("EXECUTION_FAILED")],
  ["to an address is done", uma("$success.usd@a.example"), submittedAt, done],
  ["to an address of no scenario is done", uma("$ada002@a.example"), submittedAt, done],
  ["to an address that is refused", uma("$fail.compliance.eur@a.example"), submittedAt, refused("COMPLIANCE_REJECTED")],
  ["to a slow address", uma("$pending.long.mxn@a.example"), submittedAt + 599_999, later(submittedAt + 600_000)],
  ["to a slow address is done at ten minutes", uma("$pending.long.mxn@a.example"), submittedAt + 600_000, done],
])("the payout of a quote %s", ([, accountInfo, millis, outcome]) =>
  Effect.gen(function* () {
    expect(yield* push(accountInfo, millis)).toEqual(outcome)
    const request = requestOf(accountInfo)
    expect(yield* at(millis, (rails) => rails.inquire({ _tag: "Push", request }))).toEqual(outcome)
  }),
)

it.effect("returns the payout of a quote to 005 a second after its delivery, or after it was first asked", () =>
  Effect.gen(function* () {
    const first = { _tag: "Done", askAgainAt: submittedAt + 6 * second }
    expect(yield* push(bank("1005"), submittedAt + 5 * second)).toEqual(first)
    const delivered = { deliveredAt: submittedAt + 5 * second }
    expect(yield* push(bank("1005"), submittedAt + 6 * second - 1, delivered)).toEqual(first)
    expect(yield* push(bank("1005"), submittedAt + 6 * second, delivered)).toEqual({ _tag: "Returned" })
  }),
)

it.effect("holds a deposit by its suffix, for as long as the suffix says", () =>
  Effect.gen(function* () {
    const pull = (accountIdentifier: string, millis: number) =>
      at(millis, (rails) =>
        rails.pull({
          reference: "Transaction:1",
          source: accountOf(depositor(accountIdentifier)),
          amount: 5,
          submittedAt,
        }),
      )
    for (const suffix of ["001", "004"]) {
      expect(yield* pull(`1${suffix}`, submittedAt + 29_999)).toEqual(later(submittedAt + 30_000))
      expect(yield* pull(`1${suffix}`, submittedAt + 30_000)).toEqual(done)
    }
    expect(yield* pull("1000", submittedAt)).toEqual(done)
    const request = { reference: "Transaction:1", source: accountOf(depositor("1001")), amount: 5, submittedAt }
    expect(yield* at(submittedAt, (rails) => rails.inquire({ _tag: "Pull", request }))).toEqual(
      later(submittedAt + 30_000),
    )
  }),
)

it.effect("gives a deposit back after a second, except one of 003", () =>
  Effect.gen(function* () {
    for (const suffix of ["002", "003"])
      expect(yield* push(depositor(`1${suffix}`), submittedAt + 999)).toEqual(later(submittedAt + 1000))
    expect(yield* push(depositor("1002"), submittedAt + 1000)).toEqual(done)
    expect(yield* push(depositor("1000"), submittedAt + 1000)).toEqual(done)
    expect(yield* push(depositor("1003"), submittedAt + 1000)).toEqual(refused("BANK_REJECTED"))
  }),
)

it.effect("refunds a quote after a second, except one to 007", () =>
  Effect.gen(function* () {
    const refund = (accountNumber: string, millis: number, quoteId?: string) =>
      at(millis, (rails) =>
        rails.refund({
          reference: "Transaction:1",
          destination: accountOf(bank(accountNumber)),
          amount: 5,
          initiatedAt: submittedAt,
          ...(quoteId === undefined ? {} : { quoteId }),
        }),
      )
    for (const number of ["1002", "1007"])
      expect(yield* refund(number, submittedAt + 999, "Quote:1")).toEqual(later(submittedAt + 1000))
    expect(yield* refund("1002", submittedAt + 1000, "Quote:1")).toEqual(done)
    expect(yield* refund("1007", submittedAt + 1000, "Quote:1")).toEqual(refused("BANK_REJECTED"))
    expect(yield* refund("1007", submittedAt + 1000)).toEqual(done)
  }),
)

it.effect("cancels the payout of a quote only while it is in progress", () =>
  Effect.gen(function* () {
    const cancel = (accountInfo: AccountInfo, millis: number) =>
      at(millis, (rails) =>
        rails.cancel({
          reference: "Transaction:1",
          direction: "push",
          account: accountOf(accountInfo),
          submittedAt,
          quoteId: "Quote:1",
        }),
      )
    for (const [info, delay] of [
      [bank("1003"), 360_000],
      [uma("$pending.long.usd@a.example"), 600_000],
    ] as const) {
      expect(yield* cancel(info, submittedAt + delay - 1)).toEqual(done)
      expect(yield* cancel(info, submittedAt + delay)).toEqual(refused("BANK_REJECTED"))
    }
    for (const number of ["1001", "1005"])
      expect(yield* cancel(bank(number), submittedAt)).toEqual(refused("BANK_REJECTED"))
  }),
)
