/**
 * Follows mints and burns at their provider: jobs ask about them, end those that nobody funded, and end requests whose process has ended.
 * Source: wire contract areas 1.6.6; D-390.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  decideExpiry,
  decideLateAttempt,
  decideReport,
  isReport,
  isTrouble,
} from "../../decision/stablecoin/OperationOutcomeDecision.ts"
import { decideTrouble } from "../../decision/stablecoin/ProviderAccountDecision.ts"
import { isOpenOperation } from "../../model/stablecoin/StablecoinOperation.ts"
import { reachFailPoint } from "../../operation/FailPoints.ts"
import { finish, finishing, JobFailed, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import type { ProviderInquiry } from "../../ports/StablecoinProvider.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { type ClaimedJob, Store } from "../../store/Store.ts"
import { ProviderInstructions } from "./ProviderInstructions.ts"
import { readOperation, readProviderAccount } from "./StablecoinReads.ts"

const Payload = Schema.Struct({ stablecoinOperationId: Schema.String })
const decodePayload = Schema.decodeUnknownEffect(Payload)
const operationIdOf = ({ payload }: ClaimedJob) =>
  Effect.map(Effect.orDie(decodePayload(payload)), ({ stablecoinOperationId }) => stablecoinOperationId)

const noReport = (answer: ProviderInquiry) => {
  const cause = "cause" in answer ? `: ${answer.cause}` : ""
  return new JobFailed({ reason: `the provider does not report the operation: ${answer._tag}${cause}` })
}

export class StablecoinFollowing extends Context.Service<
  StablecoinFollowing,
  {
    /** The handler of attempt jobs: ends an operation whose request has not ended it. */
    readonly attempt: JobHandler
    /** The handler of follow jobs: stores the present state of an operation at its provider. */
    readonly follow: JobHandler
    /** The handler of expire jobs. */
    readonly expire: JobHandler
  }
>()("@countersign/core/StablecoinFollowing") {
  static readonly layer = Layer.effect(
    StablecoinFollowing,
    Effect.gen(function* () {
      const store = yield* Store
      const instructions = yield* ProviderInstructions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const load = (id: string) => (read: Operation.Read) =>
        Effect.map(readOperation(read, id), (operation) => ({ operation }))

      /** Asks the provider, and stores that it refuses the credentials if it does. */
      const inquire = Effect.fnUntraced(function* (operation: Stored<"StablecoinOperation">) {
        const { answer, linkedAt } = yield* instructions.inquire(operation)
        if (answer._tag === "NotReceived" || !isTrouble(answer)) return answer
        yield* Operation.run({
          name: "StablecoinFollowing.inquire",
          ids: 1,
          load: (read) =>
            Effect.map(readProviderAccount(read, operation.data.stablecoinProviderAccountId), (account) => ({
              account,
            })),
          decide: decideTrouble(answer, linkedAt),
        })
        return answer
      })

      const attempt: JobHandler = Effect.fnUntraced(function* (job) {
        const operation = yield* readOperation(store.read, yield* operationIdOf(job))
        if (operation.data.status !== "CREATED" || !isOpenOperation(operation.data)) return yield* finish(job)
        const answer = yield* inquire(operation)
        yield* reachFailPoint("stablecoin.asked")
        if (answer._tag !== "NotReceived" && !isReport(answer)) return yield* noReport(answer)
        yield* Operation.run({
          name: "StablecoinFollowing.attempt",
          ids: 6,
          load: load(operation.id),
          decide: decideLateAttempt(answer, operation.data.attemptedAt, finishing(job)),
        })
      }, Effect.provideContext(services))

      const follow: JobHandler = Effect.fnUntraced(function* (job) {
        const operation = yield* readOperation(store.read, yield* operationIdOf(job))
        if (!isOpenOperation(operation.data)) return yield* finish(job)
        const answer = yield* inquire(operation)
        yield* reachFailPoint("stablecoin.asked")
        if (answer._tag === "NotReceived" || !isReport(answer)) return yield* noReport(answer)
        yield* Operation.run({
          name: "StablecoinFollowing.follow",
          ids: 4,
          load: load(operation.id),
          decide: decideReport(answer, finishing(job)),
        })
      }, Effect.provideContext(services))

      const expire: JobHandler = Effect.fnUntraced(function* (job) {
        const id = yield* operationIdOf(job)
        yield* Operation.run({
          name: "StablecoinFollowing.expire",
          ids: 2,
          load: load(id),
          decide: decideExpiry(finishing(job)),
        })
      }, Effect.provideContext(services))

      return StablecoinFollowing.of({ attempt, follow, expire })
    }),
  )
}
