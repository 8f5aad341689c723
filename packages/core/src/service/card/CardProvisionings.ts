/**
 * The one door for what the issuer says of a card that waits, asked for or reported, once or several times; and the job that
 * tells the issuer of a card's state.
 * Spec: States: Card (provisioning); architecture, "Jobs, outside calls and time".
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { move, provisionJob, stateJob } from "../../decision/card/CardChanges.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { Issuer, type ProvisionOutcome } from "../../ports/Issuer.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { NewJob, Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { type ClaimedJob, Store, type StoreUnavailable } from "../../store/Store.ts"
import { readCard } from "./CardReads.ts"

const decodePayload = Schema.decodeUnknownEffect(Schema.Struct({ cardId: Schema.String }))

/** An issuer that says "later" is not asked again within this time. */
const laterMillisMin = 1000

/** What an issuer can say of a card for certain. */
export type Provisioned = Extract<ProvisionOutcome, { readonly _tag: "Done" | "Refused" }>

/** What it changes; `{}`: it comes too late or twice. */
const applied = (card: Stored<"Card">, said: Provisioned, context: Operation.DecisionContext): Changes.Changes => {
  if (card.data.state !== "PROCESSING") return {}
  if (said._tag === "Refused") return move(context, card, "Reject", { stateReason: "ISSUER_REJECTED" }).changes
  const { _tag, ...made } = said
  return move(context, card, "Activate", made).changes
}

export class CardProvisionings extends Context.Service<
  CardProvisionings,
  {
    /** The handler of provisioning jobs: asks the issuer, and stores what it says. */
    readonly provision: JobHandler
    /** The handler of state jobs: tells the issuer how a card stands now. */
    readonly tell: JobHandler
    /** Stores what an issuer reports of a card, as its platform. Errors: `REFERENCE_NOT_FOUND`. */
    readonly report: (
      cardId: string,
      said: Provisioned,
    ) => Effect.Effect<void, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/CardProvisionings") {
  static readonly layer = Layer.effect(
    CardProvisionings,
    Effect.gen(function* () {
      const store = yield* Store
      const issuer = yield* Issuer
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const record = (cardId: string, said: Provisioned, fence: ClaimedJob | undefined) =>
        Operation.run({
          name: "CardProvisionings.report",
          load: (read) => readCard(read, cardId),
          decide: (card, context) =>
            Operation.answer(200, null, Changes.combine(applied(card, said, context), fence && finishing(fence))),
        }).pipe(Effect.asVoid, Effect.provideContext(services))

      /** Asks again at the time that the issuer named. */
      const later = (
        job: ClaimedJob,
        at: number,
        next: (context: Operation.DecisionContext, dueAt: number) => NewJob,
      ) =>
        Operation.run({
          name: "CardProvisionings.later",
          load: () => Effect.void,
          decide: (_loaded, context) =>
            Operation.answer(
              200,
              null,
              Changes.combine(finishing(job), { jobs: [next(context, Math.max(at, context.now + laterMillisMin))] }),
            ),
        }).pipe(Effect.asVoid)

      const unsure = (cause: string) => new JobFailed({ reason: `the issuer does not know: ${cause}` })

      const cardOf = Effect.fnUntraced(function* (job: ClaimedJob) {
        const { cardId } = yield* Effect.orDie(decodePayload(job.payload))
        return yield* readCard(store.read, cardId)
      })

      const provision: JobHandler = Effect.fnUntraced(function* (job) {
        const card = yield* cardOf(job)
        const id = card.customerId ?? ""
        const cardholder = (yield* store.read({ records: [{ kind: "Customer", id }] })).record("Customer", id)
        // Reported, or called off, meanwhile.
        if (card.data.state !== "PROCESSING" || cardholder === undefined) return yield* finish(job)
        const outcome = yield* issuer.provision({
          reference: card.id,
          card: card.data,
          cardholderId: id,
          cardholder: cardholder.data,
          issuedAt: card.createdAt,
        })
        yield* reachFailPoint("issuer.asked")
        if (outcome._tag === "Unknown") return yield* unsure(outcome.cause)
        if (outcome._tag !== "Later") return yield* record(card.id, outcome, job)
        return yield* later(job, outcome.at, ({ ids }, dueAt) => provisionJob(ids, card, dueAt))
      })

      const tell: JobHandler = Effect.fnUntraced(function* (job) {
        const card = yield* cardOf(job)
        const outcome = yield* issuer.changeState({ reference: card.id, card: card.data, version: card.version })
        if (outcome._tag === "Unknown") return yield* unsure(outcome.cause)
        if (outcome._tag === "Done") return yield* finish(job)
        return yield* later(job, outcome.at, ({ ids }, dueAt) => stateJob(ids, card, dueAt))
      })

      return CardProvisionings.of({ provision, tell, report: (cardId, said) => record(cardId, said, undefined) })
    }),
  )
}
