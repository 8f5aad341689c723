/**
 * `countersign operate`: what an operator does when something went wrong, on a store that servers may use at the same time. Every action
 * is audited with the operator's name.
 * Source: D-354, D-355, D-356.
 */
import { type CurrentCaller, CustomerAccess, ParkedJobs, UnappliedMoney } from "@countersign/core"
import { amountText, type UnappliedMoneyResource } from "@countersign/core/models"
import { Effect, Layer } from "effect"
import { asOperator, everyPage } from "./AsOperator.ts"
import * as TextTable from "./TextTable.ts"

type Services = ParkedJobs | UnappliedMoney | CustomerAccess

const command = asOperator(() => Layer.mergeAll(ParkedJobs.layer, UnappliedMoney.layer, CustomerAccess.layer))

const operate = <A>(action: Effect.Effect<A, unknown, Services | CurrentCaller>, lines: (answer: A) => string) =>
  command(() => action, { lines })

export const jobs = operate(
  ParkedJobs.use((parked) => everyPage((after) => parked.list({ limit: 100, ...after }))),
  (all) =>
    all.length === 0
      ? "no job is parked"
      : TextTable.make(
          ["job", "kind", "subject", "error", "attempts"],
          all.map(({ attempts, error = "", id, kind, subject = "" }) => [id, kind, subject, error, String(attempts)]),
          4,
        ),
)

export const resume = (jobId: string) =>
  operate(
    ParkedJobs.use((parked) => Effect.map(parked.resume(jobId), ({ body }) => body)),
    ({ id, kind }) => `resumed ${id} (${kind})`,
  )

export const drop = (jobId: string, isForced: boolean) =>
  operate(
    ParkedJobs.use((parked) => Effect.map(parked.drop(jobId, isForced), ({ body }) => body)),
    ({ id, kind }) => `dropped ${id} (${kind})`,
  )

const amountOf = ({ amount, currency }: UnappliedMoneyResource["amount"]) => amountText(amount, currency.code)

export const money = operate(
  UnappliedMoney.use((unapplied) => everyPage((after) => unapplied.list({ limit: 100, ...after }))),
  (all) =>
    all.length === 0
      ? "no money is unapplied"
      : TextTable.make(
          ["transaction", "customer", "account", "amount"],
          all.map(({ accountId = "", amount, customerId = "", transactionId }) => [
            transactionId,
            customerId,
            accountId,
            amountOf(amount),
          ]),
          3,
        ),
)

export const apply = (transactionId: string, accountId: string | undefined) =>
  operate(
    UnappliedMoney.use((unapplied) => Effect.map(unapplied.apply(transactionId, accountId), ({ body }) => body)),
    ({ accountId: credited, amount }) => `credited ${amountOf(amount)} to ${credited}`,
  )

export const giveBack = (transactionId: string, reference: string) =>
  operate(
    UnappliedMoney.use((unapplied) => Effect.map(unapplied.giveBack(transactionId, reference), ({ body }) => body)),
    ({ amount }) => `recorded that ${amountOf(amount)} was returned`,
  )

export const retryRefund = (transactionId: string) =>
  operate(
    UnappliedMoney.use((unapplied) => Effect.map(unapplied.retryRefund(transactionId), ({ body }) => body)),
    ({ id }) => `the rail will be asked again about the refund of ${id}`,
  )

export const endAccess = (customerId: string) =>
  operate(
    CustomerAccess.use((access) => Effect.map(access.end(customerId), ({ body }) => body)),
    ({ agentTokensEnded, deviceCodesEnded, sessionsEnded }) =>
      `ended ${sessionsEnded} sessions, ${agentTokensEnded} agent tokens and ${deviceCodesEnded} device codes`,
  )
