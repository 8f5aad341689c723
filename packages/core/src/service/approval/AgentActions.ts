/**
 * What agents do and platforms decide: submit, approve, reject, and the lists of both.
 * Spec: 4.1, 4.2; wire contract 1.1, 1.4 and 1.6.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { reject } from "../../decision/agent/ActionChanges.ts"
import { approve, submit } from "../../decision/approval/ActionDecision.ts"
import { submitQuote } from "../../decision/approval/QuoteActionDecision.ts"
import type { TransferAction } from "../../decision/approval/TransferActionDecision.ts"
import { auditRecord } from "../../decision/audit/Audit.ts"
import type { TransferInOrder } from "../../decision/transaction/TransferInDecision.ts"
import type { TransferOutOrder } from "../../decision/transaction/TransferOutDecision.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import type { AgentActionStatus } from "../../model/agent/AgentAction.ts"
import { type AgentActionResource, toAgentAction } from "../../model/agent/AgentActionResource.ts"
import { toQuote } from "../../model/quote/QuoteResource.ts"
import type { WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import { between, type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { provideServices } from "../../operation/ProvideServices.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { asOf } from "../../store/AsOf.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { Store, type StoreUnavailable, type Where } from "../../store/Store.ts"
import { idsMax } from "../quote/QuoteLoads.ts"
import * as ActionLoads from "./ActionLoads.ts"
import { present } from "./ActionReads.ts"

type Failure = ServiceError | StoreUnavailable
type Result<A> = Effect.Effect<A, Failure, CurrentCaller>
type Answered = Operation.Answered<AgentActionResource>

export interface ApprovalsQuery extends ListQuery {
  readonly agentId?: string
  readonly customerId?: string
  /** Those that wait, or those of these statuses. */
  readonly status?: ReadonlyArray<AgentActionStatus>
  /** Inclusive bounds on `createdAt`, Unix milliseconds. */
  readonly from?: number
  readonly to?: number
}

export class AgentActions extends Context.Service<
  AgentActions,
  {
    /** The calling agent's transfer-in: `APPROVED`, `PENDING_APPROVAL` or `FAILED`; or refused. */
    readonly submitTransferIn: (request: TransferInOrder, keyed?: Operation.Keyed) => Result<Answered>
    /** The calling agent's transfer-out, alike. */
    readonly submitTransferOut: (request: TransferOutOrder, keyed?: Operation.Keyed) => Result<Answered>
    /** The calling agent's execution of a quote that it created, alike. Out of a wallet it needs the signature. */
    readonly submitQuote: (quoteId: string, headers: WalletHeaders, keyed?: Operation.Keyed) => Result<Answered>
    /** Approves a held action: `APPROVED`, or `FAILED` where it can no longer be executed. */
    readonly approve: (agentId: string, actionId: string) => Result<Answered>
    readonly reject: (agentId: string, actionId: string, reason?: string) => Result<Answered>
    /** The actions of the platform that wait for approval, or those of other statuses. */
    readonly approvals: (query: ApprovalsQuery) => Result<Page<AgentActionResource>>
    /** The calling agent's own actions. */
    readonly mine: (query: ListQuery & { readonly status?: AgentActionStatus }) => Result<Page<AgentActionResource>>
    readonly mineById: (actionId: string) => Result<AgentActionResource>
  }
>()("@countersign/core/AgentActions") {
  static readonly layer = Layer.effect(
    AgentActions,
    Effect.gen(function* () {
      const store = yield* Store
      const loads = yield* ActionLoads.make
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const submitTransfer = Effect.fnUntraced(function* (
        name: string,
        wish: TransferAction,
        keyed: Operation.Keyed | undefined,
      ) {
        const caller = yield* CurrentCaller
        if (caller._tag !== "Agent") return yield* Effect.die(new Error("only an agent submits actions"))
        return yield* Operation.run({
          name,
          keyed,
          load: (read) => loads.transfer(read, caller, wish),
          decide: submit(201),
        })
      }, provideServices(services))

      /** Sends the code, where an execution waits for its customer to prove itself. */
      const told = Effect.fnUntraced(function* (answered: Answered) {
        const { quote, status } = answered.body
        if (!answered.replayed && status === "APPROVED" && quote !== undefined) yield* loads.quotes.sendCodeOf(quote)
        return answered
      })

      const submitted = Effect.fnUntraced(function* (
        quoteId: string,
        headers: WalletHeaders,
        keyed: Operation.Keyed | undefined,
      ) {
        const caller = yield* CurrentCaller
        if (caller._tag !== "Agent") return yield* Effect.die(new Error("only an agent submits actions"))
        const answered = yield* Operation.run({
          name: "AgentActions.submitQuote",
          ids: idsMax,
          keyed,
          load: (read) => loads.quote(read, caller, { type: "EXECUTE_QUOTE", quoteId }, headers),
          decide: submitQuote(headers.signature),
        })
        return yield* told(answered)
      }, provideServices(services))

      const approveAction = Effect.fnUntraced(
        function* (agentId: string, actionId: string) {
          const answered = yield* Operation.run({
            name: "AgentActions.approve",
            ids: idsMax,
            load: (read) => loads.held(read, agentId, actionId),
            decide: ({ action, loaded }, context) => approve(action)(loaded, context),
          })
          return yield* told(answered)
        },
        platformOnly,
        provideServices(services),
      )

      const rejectAction = Effect.fnUntraced(
        function* (agentId: string, actionId: string, reason?: string) {
          return yield* Operation.run({
            name: "AgentActions.reject",
            load: (read) => loads.rejectable(read, agentId, actionId),
            decide: ({ action, quote }, context) => {
              const rejected = reject(action, reason, context.now)
              return Operation.answer(
                200,
                toAgentAction(rejected.action, { quote: quote && toQuote(asOf(quote, context.now)) }),
                Changes.combine(rejected.changes, auditRecord(context, "AGENT_ACTION_REJECT", action)),
              )
            },
          })
        },
        platformOnly,
        provideServices(services),
      )

      const list = Effect.fnUntraced(function* (filters: Where, query: ListQuery) {
        const page = yield* listPage("AgentAction", filters, query).pipe(Effect.provideService(Store, store))
        return { ...page, data: yield* present(store.read, page.data) }
      })

      return AgentActions.of({
        submitTransferIn: (order, keyed) =>
          submitTransfer("AgentActions.submitTransferIn", { type: "TRANSFER_IN", order }, keyed),
        submitTransferOut: (order, keyed) =>
          submitTransfer("AgentActions.submitTransferOut", { type: "TRANSFER_OUT", order }, keyed),
        submitQuote: submitted,
        approve: approveAction,
        reject: rejectAction,
        approvals: ({ agentId, customerId, from, status = ["PENDING_APPROVAL"], to, ...query }) => {
          const [only] = status
          const wanted = status.length === 1 ? only : { in: status }
          return platformOnly(list(where({ status: wanted, agentId, customerId, createdAt: between(from, to) }), query))
        },
        mine: Effect.fnUntraced(function* ({ status, ...query }) {
          const caller = yield* CurrentCaller
          const agentId = caller._tag === "Agent" ? caller.agentId : ""
          return yield* list(where({ agentId, status }), query)
        }),
        mineById: Effect.fnUntraced(function* (actionId) {
          const caller = yield* CurrentCaller
          const action = (yield* store.read({ records: [{ kind: "AgentAction", id: actionId }] })).record(
            "AgentAction",
            actionId,
          )
          if (action === undefined || caller._tag !== "Agent" || action.data.agentId !== caller.agentId) {
            return yield* new ServiceError(notFound("action"))
          }
          const [resource] = yield* present(store.read, [action])
          return resource ?? (yield* new ServiceError(notFound("action")))
        }),
      })
    }),
  )
}
