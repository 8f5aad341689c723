/**
 * Payment rails that answer by the suffix of the account's main identifier. They are stateless: the request and the clock determine the
 * answer, so that a repeated request returns the same one.
 * Spec: 4.6 Sandbox endpoints and magic values; wire contract 5.6, 7.3, 7.4 and 11 (49);
 * wire contract areas 2.8 (hashes of the sandbox) and 3.1; D-401.
 */
import { Clock, Effect, Layer } from "effect"
import * as Suffix from "../foundation/kit/Suffix.ts"
import { hasBankRoute } from "../model/account/AccountRoute.ts"
import { originatorOf } from "../model/account/Deposit.ts"
import { mainIdentifier } from "../model/account/MainIdentifier.ts"
import { networkOfWallet } from "../model/account/PaymentInstructionTypes.ts"
import { umaAddressOf } from "../model/account/UmaAccount.ts"
import { umaAddressParts } from "../model/customer/UmaAddress.ts"
import { QuotePullCriteria, type QuotePullCriterion } from "../model/transaction/QuotePullCriteria.ts"
import type { PullInspection } from "../model/transaction/TransferInRules.ts"
import {
  type PullPurpose,
  type PullRequest,
  type PushRequest,
  type RailAccount,
  type RailOutcome,
  Rails,
} from "../ports/Rails.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { QuotePull } from "../settings/QuotePull.ts"
import { depositBehaviour } from "./DepositSuffixes.ts"
import { transactionHashOf } from "./FundingAddresses.ts"
import { type QuoteBehaviour, QuoteSuffixes } from "./QuoteSuffixes.ts"
import { TransferSuffixes } from "./TransferSuffixes.ts"
import { UmaScenarios } from "./UmaScenarios.ts"

/** The reported balance of every account, in the smallest unit: the amount of a transfer-in without an amount. */
export const reportedAmount = 10_000

/** Milliseconds from a failure until the money is back. */
export const refundMillis = 1000

const done: RailOutcome = { _tag: "Done" }
const pullable: PullInspection = { pullable: true, reported: reportedAmount, funds: "unknown" }
const notPullable: PullInspection = { pullable: false, funds: "unknown" }

const suffixOf = ({ accountInfo }: RailAccount): string => Suffix.of(mainIdentifier(accountInfo) ?? "")

/** The behaviour of a quote's payout to this account or address. */
const quoteBehaviour = (account: RailAccount): QuoteBehaviour | undefined => {
  const address = umaAddressOf(account.accountInfo)
  return address === undefined
    ? QuoteSuffixes.find(suffixOf(account))
    : UmaScenarios.find(umaAddressParts(address).name)?.behaviour
}

/** The current outcome of a quote's payout. */
const payout = Effect.fnUntraced(function* ({ deliveredAt, destination, submittedAt }: PushRequest) {
  const behaviour = quoteBehaviour(destination)
  if (behaviour === undefined) return done
  const { delayMillis, outcome, returnsAfterMillis } = behaviour
  const now = yield* Clock.currentTimeMillis
  if (now < submittedAt + delayMillis) {
    const later: RailOutcome = { _tag: "Later", at: submittedAt + delayMillis }
    return later
  }
  if (returnsAfterMillis === undefined) return outcome
  // Even if it is first asked late: a returned payment was delivered before.
  const askAgainAt = (deliveredAt ?? now) + returnsAfterMillis
  const returned: RailOutcome = now < askAgainAt ? { _tag: "Done", askAgainAt } : { _tag: "Returned" }
  return returned
})

/** The current outcome of a transfer. */
const transfer = Effect.fnUntraced(function* (account: RailAccount, submittedAt: number) {
  const behaviour = TransferSuffixes.find(suffixOf(account))
  if (behaviour === undefined) return done
  const at = submittedAt + behaviour.delayMillis
  const isOpen = behaviour.delayMillis > 0 && (yield* Clock.currentTimeMillis) < at
  const outcome: RailOutcome = isOpen ? { _tag: "Later", at } : { _tag: "Refused", reason: behaviour.refusal }
  return outcome
})

/** The current state of a held deposit. */
const deposit = (originator: string, arrivedAt: number) =>
  Effect.map(Clock.currentTimeMillis, (now): RailOutcome => {
    const at = arrivedAt + (depositBehaviour(Suffix.of(originator))?.holdMillis ?? 0)
    return now < at ? { _tag: "Later", at } : done
  })

/** The current outcome of giving a deposit back. */
const depositRefund = (originator: string, submittedAt: number) =>
  Effect.map(Clock.currentTimeMillis, (now): RailOutcome => {
    const at = submittedAt + refundMillis
    if (now < at) return { _tag: "Later", at }
    const fails = depositBehaviour(Suffix.of(originator))?.refundFails === true
    return fails ? { _tag: "Refused", reason: "BANK_REJECTED" } : done
  })

/** Adds the hash of a wallet's transaction, which follows from the seed. */
const withHash = ({ accountInfo }: RailAccount, seed: string, outcome: RailOutcome): RailOutcome => {
  const network = networkOfWallet(accountInfo)
  const transactionHash = network && transactionHashOf(network, seed)
  return outcome._tag === "Done" && transactionHash !== undefined ? { ...outcome, transactionHash } : outcome
}

const pull = ({ reference, source, submittedAt }: PullRequest) => {
  const originator = originatorOf(source.accountInfo)
  return originator === undefined
    ? Effect.map(transfer(source, submittedAt), (outcome) => withHash(source, `pull ${reference}`, outcome))
    : deposit(originator, submittedAt)
}

const push = (request: PushRequest) => {
  const { destination, reference, submittedAt } = request
  const originator = originatorOf(destination.accountInfo)
  return originator === undefined
    ? Effect.map(payment(request), (outcome) => withHash(destination, `push ${reference}`, outcome))
    : depositRefund(originator, submittedAt)
}

const payment = (request: PushRequest) =>
  request.quoteId === undefined
    ? Effect.map(transfer(request.destination, request.submittedAt), (outcome) =>
        // A delayed transfer stays PENDING meanwhile: the rail has not started it.
        outcome._tag === "Later" ? { ...outcome, isQueued: true } : outcome,
      )
    : payout(request)

/** Transfers pull from every account with a bank rail, quotes from those that the deployment's criterion accepts. */
const isPullable = (criterion: QuotePullCriterion, { accountInfo }: RailAccount, purpose: PullPurpose): boolean =>
  purpose._tag === "Transfer" ? hasBankRoute(accountInfo) : QuotePullCriteria.get(criterion)(accountInfo, purpose)

const railsWith = (criterion: QuotePullCriterion): Rails["Service"] => ({
  inspectPull: (source, _amount, purpose) =>
    Effect.succeed(isPullable(criterion, source, purpose) ? pullable : notPullable),
  pull,
  push,
  // Stateless: it has received whatever it is asked about.
  inquire: (instruction) => (instruction._tag === "Push" ? push(instruction.request) : pull(instruction.request)),
  refund: ({ destination, initiatedAt, quoteId }) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const fails = quoteId !== undefined && quoteBehaviour(destination)?.refund === "fails"
      if (now < initiatedAt + refundMillis) return { _tag: "Later", at: initiatedAt + refundMillis }
      return fails ? { _tag: "Refused", reason: "BANK_REJECTED" } : done
    }),
  cancel: ({ account, quoteId, submittedAt }) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const behaviour = quoteId === undefined ? TransferSuffixes.find(suffixOf(account)) : quoteBehaviour(account)
      // A payment that is still in progress can be cancelled.
      const isOpen = now < submittedAt + (behaviour?.delayMillis ?? 0)
      return isOpen ? done : { _tag: "Refused", reason: "BANK_REJECTED" }
    }),
})

/** Provides `Rails` by magic suffix, and pulls of quotes as `QuotePull` says. */
export const layer: Layer.Layer<Rails> = Layer.effect(Rails, Effect.map(QuotePull, railsWith)).pipe(
  sandboxOnly("SandboxRails"),
)
