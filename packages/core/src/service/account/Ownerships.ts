/**
 * The proof of ownership of a wallet: a challenge is opened, then answered by a signature or by a liveness check.
 * Source: wire contract 2.1, 2.6 and 2.7; D-051, D-052.
 */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import {
  openChallenge,
  recordLiveness,
  signatureCheckOf,
  verifyOwnership,
} from "../../decision/account/OwnershipDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { ExternalAccountResource } from "../../model/account/ExternalAccountResource.ts"
import { challengeRefusal } from "../../model/account/ExternalAccountRules.ts"
import type { OwnershipMethod } from "../../model/account/OwnershipChallenge.ts"
import type { OwnershipChallengeResource, OwnershipVerifyRequest } from "../../model/account/OwnershipResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { OwnershipChecks } from "../../ports/Ownership.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { type AccountScope, readExternalAccount } from "./ExternalAccountReads.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

interface Loaded {
  readonly account: Stored<"ExternalAccount">
}

const load = (read: Operation.Read, scope: AccountScope, accountId: string) =>
  Effect.map(readExternalAccount(read, accountId, scope), (account): Loaded => ({ account }))

export class Ownerships extends Context.Service<
  Ownerships,
  {
    /** Opens a challenge, which replaces an open one. Errors: `REFERENCE_NOT_FOUND`, `CONFLICT`, `INVALID_INPUT`. */
    readonly challenge: (
      scope: AccountScope,
      accountId: string,
      method: OwnershipMethod,
    ) => Result<Operation.Answered<OwnershipChallengeResource>>
    /** A valid signature makes the account `ACTIVE`. A wrong or late one is `INVALID_INPUT` and makes it `UNVERIFIED`. */
    readonly verify: (
      scope: AccountScope,
      accountId: string,
      request: OwnershipVerifyRequest,
    ) => Result<Operation.Answered<ExternalAccountResource>>
    /** Stores the result of a liveness check, as the platform of the account. Drops a second report. */
    readonly report: (accountId: string, isOwner: boolean) => Result<void>
  }
>()("@countersign/core/Ownerships") {
  static readonly layer = Layer.effect(
    Ownerships,
    Effect.gen(function* () {
      const checks = yield* OwnershipChecks
      const random = yield* SecureRandom.SecureRandom
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      /** Starts a liveness check, if that is the method and the account may be challenged. */
      const askLiveness = Effect.fnUntraced(function* ({ account }: Loaded, method: OwnershipMethod) {
        if (method !== "LIVENESS" || challengeRefusal(account.data) !== undefined) return { liveness: undefined }
        const { customerId, id } = account
        return { liveness: yield* checks.startLiveness({ accountId: id, customerId }) }
      })

      const challenge = Effect.fnUntraced(
        function* (scope: AccountScope, accountId: string, method: OwnershipMethod) {
          const nonce = Hex.encode(yield* random.randomBytes(16))
          return yield* Operation.run({
            name: "Ownerships.challenge",
            load: (read) => load(read, scope, accountId),
            ask: (loaded) => askLiveness(loaded, method),
            decide: openChallenge(method, nonce),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** Verifies the signature, if a signature challenge is open. */
      const askSignature = Effect.fnUntraced(function* ({ account }: Loaded, request: OwnershipVerifyRequest) {
        const check = signatureCheckOf(account, request)
        return { isSigned: check === undefined ? undefined : yield* checks.verifySignature(check) }
      })

      const verify = Effect.fnUntraced(
        function* (scope: AccountScope, accountId: string, request: OwnershipVerifyRequest) {
          return yield* Operation.run({
            name: "Ownerships.verify",
            load: (read) => load(read, scope, accountId),
            ask: (loaded) => askSignature(loaded, request),
            decide: verifyOwnership,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const report = Effect.fnUntraced(
        function* (accountId: string, isOwner: boolean) {
          yield* Operation.run({
            name: "Ownerships.report",
            load: (read) => readExternalAccount(read, accountId),
            decide: recordLiveness(isOwner),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Ownerships.of({ challenge, verify, report })
    }),
  )
}
