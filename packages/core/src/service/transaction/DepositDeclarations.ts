/**
 * Ends the holds of deposits whose sender's wallet a customer's platform declares or proves.
 * Source: wire contract areas 2.8 (pendingReason) and 2.13; D-415.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { screenJob } from "../../decision/transaction/DepositChanges.ts"
import { decideScreenedAgain, waitsForDeclaration } from "../../decision/transaction/DepositDecision.ts"
import type { OutcomeLoaded } from "../../decision/transaction/OutcomeLoaded.ts"
import { declares } from "../../model/account/WalletDeclaration.ts"
import { finish, finishing, type JobHandler } from "../../operation/Jobs.ts"
import { listAll, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import * as Changes from "../../store/Changes.ts"
import { type ClaimedJob, Store } from "../../store/Store.ts"
import { makeScreening } from "../account/DepositScreenings.ts"
import { loadTransactionScope } from "./TransactionLoads.ts"

const decode =
  <A>(schema: Schema.Codec<A>) =>
  ({ payload }: ClaimedJob) =>
    Effect.orDie(Schema.decodeUnknownEffect(schema)(payload))
const accountPayload = decode(Schema.Struct({ accountId: Schema.String }))
const transactionPayload = decode(Schema.Struct({ transactionId: Schema.String }))

export class DepositDeclarations extends Context.Service<
  DepositDeclarations,
  {
    /** The handler that finds the held deposits from a declared wallet. */
    readonly declared: JobHandler
    /** The handler that screens a held deposit again. */
    readonly screen: JobHandler
  }
>()("@countersign/core/DepositDeclarations") {
  static readonly layer = Layer.effect(
    DepositDeclarations,
    Effect.gen(function* () {
      const store = yield* Store
      const screenDeposit = yield* makeScreening

      /** The customer's deposits that wait for a declaration of this account's wallet. */
      const waitingFor = Effect.fnUntraced(function* (accountId: string) {
        const account = (yield* store.read({ records: [{ kind: "ExternalAccount", id: accountId }] })).record(
          "ExternalAccount",
          accountId,
        )
        if (account === undefined || account.customerId === null) return []
        const { customerId, data } = account
        const pending = yield* listAll("Transaction", where({ customerId, type: "INCOMING", status: "PENDING" })).pipe(
          Effect.provideService(Store, store),
        )
        return pending
          .filter(waitsForDeclaration)
          .filter((deposit) => declares(data, deposit.data.deposit?.source.accountIdentifier ?? ""))
      })

      const declared: JobHandler = Effect.fnUntraced(function* (job) {
        const waiting = yield* waitingFor((yield* accountPayload(job)).accountId)
        if (waiting.length === 0) return yield* finish(job)
        return yield* Operation.run({
          name: "DepositDeclarations.declared",
          ids: waiting.length,
          load: () => Effect.succeed(waiting),
          decide: (deposits, { ids, now }) => {
            const jobs = deposits.map((deposit) => screenJob(ids, deposit, now))
            return Operation.answer(200, null, Changes.combine({ jobs }, finishing(job)))
          },
        }).pipe(Effect.asVoid)
      })

      /** The verdict about a deposit that still waits. */
      const verdictOn = Effect.fnUntraced(function* ({ account, transaction }: OutcomeLoaded) {
        if (account === undefined || !waitsForDeclaration(transaction)) return { verdict: undefined }
        const { amount, deposit } = transaction.data
        const source = deposit?.source ?? {}
        const { verdict } = yield* screenDeposit({ transactionId: transaction.id, account, amount, source })
        return { verdict }
      })

      const screen: JobHandler = Effect.fnUntraced(function* (job) {
        const { transactionId } = yield* transactionPayload(job)
        return yield* Operation.run({
          name: "DepositDeclarations.screen",
          ids: 24,
          load: (read) => loadTransactionScope(read, transactionId),
          ask: verdictOn,
          decide: (loaded, context) => {
            const { verdict } = loaded
            const isFull = Operation.exceededExactRange(context.rejections)
            const changes = verdict && decideScreenedAgain(loaded, verdict, isFull, context)
            return Operation.answer(200, null, Changes.combine(changes, finishing(job)))
          },
        }).pipe(Effect.asVoid)
      })

      return DepositDeclarations.of({ declared, screen })
    }),
  )
}
