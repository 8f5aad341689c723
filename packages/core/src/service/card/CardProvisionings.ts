/**
 * Provisions cards: asks the issuer for a card in `PROCESSING`, stores its answer or report, and notifies it of state changes.
 * Spec: States: Card (provisioning); architecture, "Jobs, external calls and time".
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  decideNotifyLater,
  decideProvisioning,
  decideProvisionLater,
  type Provisioned,
} from "../../decision/card/CardProvisioningDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Outside from "../../foundation/kit/Outside.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import { Issuer } from "../../ports/Issuer.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type * as Changes from "../../store/Changes.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { openPassword, type PasswordServices } from "./CardPasswords.ts"
import { loadCard, readCard } from "./CardReads.ts"

export type { Provisioned } from "../../decision/card/CardProvisioningDecision.ts"

const Payload = Schema.Struct({
  cardId: Schema.String,
  sealedPassword: Schema.optionalKey(Schema.Struct({ encappedPublic: Schema.String, ciphertext: Schema.String })),
})
const decodePayload = Schema.decodeUnknownEffect(Payload)

const unknownOutcome = (cause: string) => new JobFailed({ reason: `the issuer does not know: ${cause}` })

export class CardProvisionings extends Context.Service<
  CardProvisionings,
  {
    /** Handles provisioning jobs: asks the issuer and stores its answer. */
    readonly provision: JobHandler
    /** Handles state jobs: notifies the issuer of the card's current state. */
    readonly notifyState: JobHandler
    /** Stores what an issuer reports of a card, as its platform. Errors: `REFERENCE_NOT_FOUND`. */
    readonly report: (
      cardId: string,
      outcome: Provisioned,
    ) => Effect.Effect<void, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/CardProvisionings") {
  static readonly layer = Layer.effect(
    CardProvisionings,
    Effect.gen(function* () {
      const store = yield* Store
      const issuer = yield* Issuer
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | PasswordServices>()

      const record = (cardId: string, outcome: Provisioned, fence?: Changes.Changes) =>
        Operation.run({
          name: "CardProvisionings.report",
          load: (read) => loadCard(read, cardId),
          decide: decideProvisioning(outcome, fence),
        }).pipe(Effect.asVoid, Effect.provideContext(services))

      const provision: JobHandler = Effect.fnUntraced(function* (job) {
        const { cardId, sealedPassword } = yield* Effect.orDie(decodePayload(job.payload))
        const card = yield* readCard(store.read, cardId)
        const cardholderId = card.customerId ?? ""
        const found = yield* store.read({ records: [{ kind: "Customer", id: cardholderId }] })
        const cardholder = found.record("Customer", cardholderId)
        // The issuer has reported meanwhile, or the card was closed with its customer.
        if (card.data.state !== "PROCESSING" || cardholder === undefined) return yield* finish(job)
        const threeDSecurePassword =
          sealedPassword && (yield* Effect.provideContext(openPassword(cardId, sealedPassword), services))
        const outcome = yield* issuer.provision({
          reference: cardId,
          card: card.data,
          cardholderId,
          cardholder: cardholder.data,
          issuedAt: card.createdAt,
          ...(threeDSecurePassword === undefined ? {} : { threeDSecurePassword }),
        })
        yield* reachFailPoint("issuer.asked")
        if (outcome._tag === "Unknown") return yield* unknownOutcome(outcome.cause)
        if (outcome._tag !== "Later") return yield* record(cardId, outcome, finishing(job))
        const postponed = { card, at: outcome.at, fence: finishing(job) }
        yield* Operation.run({
          name: "CardProvisionings.later",
          load: () => Effect.void,
          decide: decideProvisionLater(postponed, sealedPassword),
        })
      })

      const notifyState: JobHandler = Effect.fnUntraced(function* (job) {
        const { cardId } = yield* Effect.orDie(decodePayload(job.payload))
        const card = yield* readCard(store.read, cardId)
        const outcome = yield* issuer.changeState({ reference: cardId, card: card.data, version: card.version })
        if (outcome._tag === "Unknown") return yield* unknownOutcome(outcome.cause)
        if (outcome._tag === "Done") return yield* finish(job)
        const postponed = { card, at: outcome.at, fence: finishing(job) }
        yield* Operation.run({
          name: "CardProvisionings.later",
          load: () => Effect.void,
          decide: decideNotifyLater(postponed),
        })
      })

      return CardProvisionings.of({
        provision,
        notifyState,
        report: (cardId, outcome) => record(cardId, Outside.clean(outcome)),
      })
    }),
  )
}
