/**
 * The actions of agents: an agent submits them, its platform approves or rejects them, and both list them.
 * Spec: 4.1, 4.2; wire contract 1.1, 1.4 and 1.6.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { approveAction, rejectAction } from "../../decision/approval/ActionApprovalDecision.ts"
import type { TransferAction } from "../../decision/approval/ActionLoaded.ts"
import { submitAction, submitQuoteAction } from "../../decision/approval/ActionSubmissionDecision.ts"
import type { Vote } from "../../decision/approval/ActionVote.ts"
import type { TransferInOrder } from "../../decision/transaction/TransferInDecision.ts"
import type { TransferOutOrder } from "../../decision/transaction/TransferOutDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import type { AgentActionStatus } from "../../model/agent/AgentAction.ts"
import type { AgentActionResource } from "../../model/agent/AgentActionResource.ts"
import type { WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import * as DeferredSignIn from "../../operation/DeferredSignIn.ts"
import { between, type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { provideServices } from "../../operation/ProvideServices.ts"
import { ExchangeRates } from "../../ports/ExchangeRates.ts"
import { Rails } from "../../ports/Rails.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { ApprovalPolicies, requireValidPolicies } from "../../settings/ApprovalPolicies.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import { Store, type StoreUnavailable, type Where } from "../../store/Store.ts"
import { drawChallengeId, sendCodeIfPending } from "../quote/QuoteChallenges.ts"
import { idsMax } from "../quote/QuoteCreationSteps.ts"
import type { ExecutionRequest } from "../quote/QuoteExecutionSteps.ts"
import { presentActions } from "./ActionReads.ts"
import { type ActionPorts, askAction, askTransfer, loadAction } from "./ActionSteps.ts"
import { askApproval, loadApproval, loadSubmitted } from "./ApprovalSteps.ts"
import { callingAgent } from "./CallingAgent.ts"

type Failure = ServiceError | StoreUnavailable
type Result<A> = Effect.Effect<A, Failure, CurrentCaller>
type Answered = Operation.Answered<AgentActionResource>

export interface ApprovalsQuery extends ListQuery {
  readonly agentId?: string
  readonly customerId?: string
  /** Absent: the actions that wait for an approval. */
  readonly status?: ReadonlyArray<AgentActionStatus>
  /** Inclusive bounds on `createdAt`, Unix milliseconds. */
  readonly from?: number
  readonly to?: number
}

export class AgentActions extends Context.Service<
  AgentActions,
  {
    /** Submits a transfer-in of the calling agent: `APPROVED`, `PENDING_APPROVAL` or `FAILED`; or refused. */
    readonly submitTransferIn: (request: TransferInOrder, keyed?: Operation.Keyed) => Result<Answered>
    /** Submits a transfer-out of the calling agent, in the same way. */
    readonly submitTransferOut: (request: TransferOutOrder, keyed?: Operation.Keyed) => Result<Answered>
    /** Submits the execution of a quote that the calling agent created. A payment out of a wallet needs a signature. */
    readonly submitQuote: (quoteId: string, headers: WalletHeaders, keyed?: Operation.Keyed) => Result<Answered>
    /**
     * Approves a held action: `APPROVED`, or `FAILED` if it can no longer be executed. Where a row of the approval policy covers it, the
     * approval is the vote of an approver on the console, and the action stays `PENDING_APPROVAL` until the last needed one.
     * Errors: `REFERENCE_NOT_FOUND`; `CONFLICT` or `FORBIDDEN` with the reason why the approval does not count.
     */
    readonly approve: (agentId: string, actionId: string, vote?: Vote) => Result<Answered>
    readonly reject: (agentId: string, actionId: string, reason?: string) => Result<Answered>
    /** Lists the platform's actions that wait for an approval, or those of other statuses. */
    readonly approvals: (query: ApprovalsQuery) => Result<Page<AgentActionResource>>
    /** Lists the calling agent's own actions. */
    readonly mine: (query: ListQuery & { readonly status?: AgentActionStatus }) => Result<Page<AgentActionResource>>
    readonly mineById: (actionId: string) => Result<AgentActionResource>
  }
>()("@countersign/core/AgentActions") {
  static readonly layer = Layer.effect(
    AgentActions,
    Effect.gen(function* () {
      const store = yield* Store
      const read = DeferredSignIn.reads(store)
      requireValidPolicies(yield* ApprovalPolicies)
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | ActionPorts>()

      const submitTransfer = Effect.fnUntraced(function* (
        name: string,
        action: TransferAction,
        keyed: Operation.Keyed | undefined,
      ) {
        const caller = yield* callingAgent
        return yield* Operation.run({
          name,
          keyed,
          load: (read) => loadAction(read, caller, action),
          // Its own ports alone: a context that is merged copies all services.
          ask: (loaded) =>
            askTransfer(loaded).pipe(
              Effect.provideService(Rails, Context.get(services, Rails)),
              Effect.provideService(ExchangeRates, Context.get(services, ExchangeRates)),
            ),
          decide: submitAction(201),
        })
      }, provideServices(services))

      /** Sends the code of a challenge that the execution has started. */
      const sendCodeAfter = Effect.fnUntraced(function* (answered: Answered) {
        const { quote, status } = answered.body
        if (!answered.replayed && status === "APPROVED" && quote !== undefined) yield* sendCodeIfPending(quote)
        return answered
      })

      const submitQuote = Effect.fnUntraced(function* (
        quoteId: string,
        headers: WalletHeaders,
        keyed: Operation.Keyed | undefined,
      ) {
        const caller = yield* callingAgent
        const request: ExecutionRequest = { challengeId: yield* drawChallengeId, headers }
        const answered = yield* Operation.run({
          name: "AgentActions.submitQuote",
          ids: idsMax,
          keyed,
          load: (read) => loadAction(read, caller, { type: "EXECUTE_QUOTE", quoteId }),
          ask: (loaded) => askAction(loaded, request),
          decide: submitQuoteAction(headers.signature),
        })
        return yield* sendCodeAfter(answered)
      }, Effect.provideContext(services))

      const approve = Effect.fnUntraced(
        function* (agentId: string, actionId: string, vote?: Vote) {
          const challengeId = yield* drawChallengeId
          const answered = yield* Operation.run({
            name: "AgentActions.approve",
            ids: idsMax,
            load: (read) => loadApproval(read, agentId, actionId),
            ask: (loaded) => askApproval(loaded, challengeId),
            decide: approveAction(vote),
          })
          return yield* sendCodeAfter(answered)
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const reject = Effect.fnUntraced(
        function* (agentId: string, actionId: string, reason?: string) {
          return yield* Operation.run({
            name: "AgentActions.reject",
            load: (read) => loadSubmitted(read, agentId, actionId),
            decide: rejectAction(reason),
          })
        },
        platformOnly,
        provideServices(services),
      )

      const list = Effect.fnUntraced(function* (filters: Where, query: ListQuery) {
        const page = yield* listPage("AgentAction", filters, query).pipe(Effect.provideService(Store, store))
        return { ...page, data: yield* presentActions(read, page.data) }
      })

      const mineById = Effect.fnUntraced(function* (actionId: string) {
        const caller = yield* CurrentCaller
        const found = yield* read({ records: [{ kind: "AgentAction", id: actionId }] })
        const action = found.record("AgentAction", actionId)
        if (action === undefined || caller._tag !== "Agent" || action.data.agentId !== caller.agentId) {
          return yield* new ServiceError(notFound("action"))
        }
        const [resource] = yield* presentActions(read, [action])
        return resource ?? (yield* new ServiceError(notFound("action")))
      })

      return AgentActions.of({
        submitTransferIn: (order, keyed) =>
          submitTransfer("AgentActions.submitTransferIn", { type: "TRANSFER_IN", order }, keyed),
        submitTransferOut: (order, keyed) =>
          submitTransfer("AgentActions.submitTransferOut", { type: "TRANSFER_OUT", order }, keyed),
        submitQuote,
        approve,
        reject,
        approvals: ({ agentId, customerId, from, status = ["PENDING_APPROVAL"], to, ...query }) => {
          const [only] = status
          const statuses = status.length === 1 ? only : { in: status }
          return platformOnly(
            list(where({ status: statuses, agentId, customerId, createdAt: between(from, to) }), query),
          )
        },
        mine: Effect.fnUntraced(function* ({ status, ...query }) {
          const caller = yield* CurrentCaller
          const agentId = caller._tag === "Agent" ? caller.agentId : ""
          return yield* list(where({ agentId, status }), query)
        }),
        mineById,
      })
    }),
  )
}
