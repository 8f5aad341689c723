/**
 * Sessions of the console: approvers sign in with the platform's credentials and, where the deployment requires it, with a passkey.
 * Source: D-352.
 */
import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import * as Decide from "../../decision/approval/ConsoleSessionDecision.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { invalidInput, ServiceError } from "../../foundation/errors/ServiceError.ts"
import { approverName } from "../../model/approval/Approver.ts"
import type { ConsoleChallenge, ConsoleSessionResource } from "../../model/approval/ConsoleSession.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { PasskeyChecks } from "../../ports/PasskeyChecks.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { approverClaim } from "../../store/Claims.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { proofOf, UsedPasskey } from "./PasskeyProofs.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** A session that has just begun, with its secret, which is shown once. */
export interface BegunSession {
  readonly session: ConsoleSessionResource
  readonly secret: Redacted.Redacted
}

/** What a browser returns for the challenge of a sign-in. */
export const ConsolePasskey = Schema.Struct({
  sessionId: Schema.String.check(Schema.isMaxLength(16_384)),
  ...UsedPasskey.fields,
})
export type ConsolePasskey = typeof ConsolePasskey.Type

const randomHex = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return Hex.encode(yield* random.randomBytes(32))
})

const invalidName = new ServiceError(
  invalidInput([
    {
      field: "approver",
      message: "must be a name of 1 to 80 letters, digits, spaces and . , ' @ _ + -",
      constraint: { maxLength: 80 },
    },
  ]),
)

export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    /** Signs the approver in by the platform's credentials alone. `origin` is the page's. Errors: `INVALID_INPUT`, `UNAUTHORIZED`. */
    readonly signIn: (approver: string, origin: string) => Result<BegunSession>
    /** Begins a sign-in that needs a passkey. Errors: those of `signIn`. */
    readonly challenge: (approver: string, origin: string) => Result<ConsoleChallenge>
    /** Completes it. A challenge can be answered once, from the page that asked for it. Errors: `UNAUTHORIZED` with the failed check. */
    readonly prove: (passkey: ConsolePasskey, origin: string) => Result<BegunSession>
    readonly signOut: (sessionId: string) => Result<void>
    /** Notes that the approver did something, which defers the idle time-out. */
    readonly noteActivity: (sessionId: string) => Result<ConsoleSessionResource>
  }
>()("@countersign/core/ConsoleSessions") {
  static readonly layer = Layer.effect(
    ConsoleSessions,
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | PasskeyChecks>()

      const ownTokenId = Effect.map(CurrentCaller, (caller) =>
        caller._tag === "Platform" ? (caller.tokenId ?? "") : "",
      )

      const loadSignIn = Effect.fnUntraced(function* (read: Operation.Read, name: string) {
        const tokenId = yield* ownTokenId
        const found = yield* read({ records: [{ kind: "ApiToken", id: tokenId }] })
        const { data } = yield* store.list(
          "Approver",
          { key: { eq: approverClaim(name).key } },
          { limit: 1, order: "asc" },
        )
        return { token: found.record("ApiToken", tokenId), approver: data[0] }
      })

      const loadProof = Effect.fnUntraced(function* (read: Operation.Read, sessionId: string) {
        const session = (yield* read({ records: [{ kind: "ConsoleSession", id: sessionId }] })).record(
          "ConsoleSession",
          sessionId,
        )
        return { session, ...(yield* loadSignIn(read, session?.data.approverName ?? "")) }
      })

      const validName = (approver: string) => {
        const name = approverName(approver)
        return name === undefined ? Effect.fail(invalidName) : Effect.succeed(name)
      }

      const begun = Effect.fnUntraced(function* <A, E, R>(run: (secretHash: string) => Effect.Effect<A, E, R>) {
        const secret = yield* randomHex
        return { answered: yield* run(Secrets.hash(secret)), secret: Redacted.make(secret) }
      })

      const signIn = Effect.fnUntraced(
        function* (approver: string, origin: string) {
          const name = yield* validName(approver)
          const { answered, secret } = yield* begun((secretHash) =>
            Operation.run({
              name: "ConsoleSessions.signIn",
              ids: 4,
              load: (read) => loadSignIn(read, name),
              decide: Decide.signInBySecret({ name, origin, secretHash }),
            }),
          )
          return { session: answered.body, secret }
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const challenge = Effect.fnUntraced(
        function* (approver: string, origin: string) {
          const name = yield* validName(approver)
          const text = yield* randomHex
          const { body } = yield* Operation.run({
            name: "ConsoleSessions.challenge",
            ids: 2,
            load: (read) => loadSignIn(read, name),
            decide: Decide.challengeApprover({ name, origin, challenge: text }),
          })
          return body
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const askProof = Effect.fnUntraced(function* (input: ConsolePasskey, origin: string, loaded: Decide.ProofLoaded) {
        const { approver, session, token } = loaded
        const now = yield* Clock.currentTimeMillis
        if (!Decide.isChallenged(session, token?.id, now)) return { proof: undefined }
        const { challenge = "", origin: askedBy } = session.data
        return { proof: yield* proofOf(input, { challenge, askedBy, origin, known: approver?.data.passkey }) }
      })

      const prove = Effect.fnUntraced(
        function* (input: ConsolePasskey, origin: string) {
          const { answered, secret } = yield* begun((secretHash) =>
            Operation.run({
              name: "ConsoleSessions.prove",
              ids: 4,
              load: (read) => loadProof(read, input.sessionId),
              ask: (loaded) => askProof(input, origin, loaded),
              decide: Decide.signInByPasskey(secretHash),
            }),
          )
          return { session: answered.body, secret }
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadSession = (read: Operation.Read, id: string) =>
        Effect.map(read({ records: [{ kind: "ConsoleSession", id }] }), (found) => ({
          session: found.record("ConsoleSession", id),
        }))

      const signOut = Effect.fnUntraced(
        function* (sessionId: string) {
          yield* Operation.run({
            name: "ConsoleSessions.signOut",
            load: (read) => loadSession(read, sessionId),
            decide: Decide.signOut,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const noteActivity = Effect.fnUntraced(
        function* (sessionId: string) {
          const { body } = yield* Operation.run({
            name: "ConsoleSessions.noteActivity",
            load: (read) => loadSession(read, sessionId),
            decide: Decide.noteActivity,
          })
          return body
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return ConsoleSessions.of({ signIn, challenge, prove, signOut, noteActivity })
    }),
  )
}
