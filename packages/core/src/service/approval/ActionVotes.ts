/**
 * The votes of approvers on the console: what they are shown of a held action, and their approvals of it.
 * Source: D-532.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import * as StepUp from "../../decision/approval/StepUpDecision.ts"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { ActionVotesResource, StepUpChallenge } from "../../model/agent/ActionVotesResource.ts"
import type { AgentActionResource } from "../../model/agent/AgentActionResource.ts"
import type { Read } from "../../operation/Operation.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { PasskeyChecks } from "../../ports/PasskeyChecks.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { askApprovals } from "./ActionSteps.ts"
import { AgentActions } from "./AgentActions.ts"
import { loadApproval } from "./ApprovalSteps.ts"
import { proofOf, UsedPasskey } from "./PasskeyProofs.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>

/** The action that is voted on, in the session of the approver. */
export interface VoteOn {
  readonly sessionId: string
  readonly agentId: string
  readonly actionId: string
  /** The digest of what was shown. */
  readonly digest: string
}

/** The passkey's use at a vote. */
export const VotePasskey = Schema.Struct(UsedPasskey.fields)
export type VotePasskey = typeof VotePasskey.Type

export class ActionVotes extends Context.Service<
  ActionVotes,
  {
    /** Returns the votes on an action; `null` if it is decided, or one approval is enough. Errors: `REFERENCE_NOT_FOUND`. */
    readonly show: (agentId: string, actionId: string) => Result<ActionVotesResource | null>
    /**
     * Begins a vote: returns the challenge for the approver's passkey, or `null` if the vote needs none. Errors: those of
     * `AgentActions.approve`.
     */
    readonly begin: (vote: VoteOn) => Result<StepUpChallenge | null>
    /** Votes. A challenge can be answered once. Errors: those of `AgentActions.approve`, and `UNAUTHORIZED` with the failed check. */
    readonly cast: (vote: VoteOn, origin: string, passkey?: VotePasskey) => Result<AgentActionResource>
  }
>()("@countersign/core/ActionVotes") {
  static readonly layer = Layer.effect(
    ActionVotes,
    Effect.gen(function* () {
      const store = yield* Store
      const actions = yield* AgentActions
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | PasskeyChecks>()

      const loadVotes = Effect.fnUntraced(function* <E>(read: Read<E>, agentId: string, actionId: string) {
        const { action, execution } = yield* loadApproval(read, agentId, actionId)
        return { action, execution, approvals: yield* askApprovals(action.platformId) }
      })

      const loadVoter = Effect.fnUntraced(function* <E>(read: Read<E>, sessionId: string) {
        const caller = yield* CurrentCaller
        const approverId = caller._tag === "Platform" ? (caller.approver?.id ?? "") : ""
        const found = yield* read({
          records: [
            { kind: "ConsoleSession", id: sessionId },
            { kind: "Approver", id: approverId },
          ],
        })
        const session = found.record("ConsoleSession", sessionId)
        const own = session?.data.approverId === approverId ? session : undefined
        return { session: own, approver: found.record("Approver", approverId) }
      })

      const show = Effect.fn("ActionVotes.show")(
        function* (agentId: string, actionId: string) {
          const records = yield* loadVotes(store.read, agentId, actionId)
          const caller = yield* CurrentCaller
          return StepUp.votesOf(records, { caller, now: yield* Clock.currentTimeMillis }) ?? null
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const begin = Effect.fnUntraced(
        function* ({ actionId, agentId, digest, sessionId }: VoteOn) {
          const random = yield* SecureRandom.SecureRandom
          const nonce = Hex.encode(yield* random.randomBytes(32))
          const { body } = yield* Operation.run({
            name: "ActionVotes.begin",
            load: Effect.fnUntraced(function* (read) {
              return { ...(yield* loadVotes(read, agentId, actionId)), ...(yield* loadVoter(read, sessionId)) }
            }),
            decide: StepUp.beginVote(digest, nonce),
          })
          return body
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const askStepUp = Effect.fnUntraced(function* (
        vote: VoteOn,
        origin: string,
        passkey: VotePasskey,
        { approver, session }: StepUp.VoterRecords,
      ) {
        const open = StepUp.openStepUp({ session }, vote, yield* Clock.currentTimeMillis)
        const known = approver?.data.passkey
        if (open === undefined || session === undefined || known === undefined) return { proof: undefined }
        const asked = { challenge: open.challenge, askedBy: session.data.origin, origin, known }
        return { proof: yield* proofOf(passkey, asked) }
      })

      /** Spends the challenge, so that no signature is used twice. */
      const sign = Effect.fnUntraced(
        function* (vote: VoteOn, origin: string, passkey: VotePasskey) {
          yield* Operation.run({
            name: "ActionVotes.sign",
            load: (read) => loadVoter(read, vote.sessionId),
            ask: (loaded) => askStepUp(vote, origin, passkey, loaded),
            decide: StepUp.answerStepUp,
          })
          const { authenticatorData = "", clientDataJson, credentialId, signature = "" } = passkey
          return { credentialId, clientDataJson, authenticatorData, signature }
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const cast = Effect.fnUntraced(function* (vote: VoteOn, origin: string, passkey?: VotePasskey) {
        const { actionId, agentId, digest } = vote
        const assertion = passkey === undefined ? undefined : yield* sign(vote, origin, passkey)
        return (yield* actions.approve(agentId, actionId, { digest, assertion })).body
      })

      return ActionVotes.of({ show, begin, cast })
    }),
  )
}
