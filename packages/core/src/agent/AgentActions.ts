/**
 * What agents do and platforms decide: submit, approve, reject, and the lists of both.
 * Spec: 4.1, 4.2; wire contract 1.1, 1.4 and 1.6.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { notFound, ServiceError } from "../errors/ServiceError.ts"
import type { Page } from "../kit/Page.ts"
import { audited } from "../operation/Audit.ts"
import * as Changes from "../operation/Changes.ts"
import { between, type ListQuery, listPage, where } from "../operation/Listing.ts"
import * as Operation from "../operation/Operation.ts"
import { platformOnly } from "../operation/PlatformOnly.ts"
import { CurrentCaller } from "../ports/Caller.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { Store, type StoreUnavailable, type Where } from "../ports/Store.ts"
import type { WallTime } from "../ports/WallTime.ts"
import type { TransferInOrder } from "../transaction/TransferInDecision.ts"
import type { TransferOutOrder } from "../transaction/TransferOutDecision.ts"
import { reject } from "./ActionChanges.ts"
import { approve, submit } from "./ActionDecision.ts"
import * as ActionLoads from "./ActionLoads.ts"
import type { AgentActionStatus } from "./AgentAction.ts"
import { type AgentActionResource, toAgentAction } from "./AgentActionResource.ts"
import type { TransferAction } from "./TransferActionDecision.ts"

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
      }, Effect.provideContext(services))

      const approveAction = Effect.fnUntraced(
        function* (agentId: string, actionId: string) {
          return yield* Operation.run({
            name: "AgentActions.approve",
            load: (read) => loads.held(read, agentId, actionId),
            decide: ({ action, loaded }, context) => approve(action)(loaded, context),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const rejectAction = Effect.fnUntraced(
        function* (agentId: string, actionId: string, reason?: string) {
          return yield* Operation.run({
            name: "AgentActions.reject",
            load: (read) => loads.waiting(read, agentId, actionId),
            decide: ({ action }, context) => {
              const rejected = reject(action, reason, context.now)
              return Operation.answer(
                200,
                toAgentAction(rejected.action, undefined),
                Changes.combine(rejected.changes, audited(context, "AGENT_ACTION_REJECT", action)),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      /** Actions with their transactions, which one further trip reads. */
      const present = Effect.fnUntraced(function* (actions: ReadonlyArray<Stored<"AgentAction">>) {
        const ids = actions.flatMap(({ data }) => (data.transactionId === undefined ? [] : [data.transactionId]))
        const found =
          ids.length === 0 ? undefined : yield* store.read({ records: ids.map((id) => ({ kind: "Transaction", id })) })
        return actions.map((action) => {
          const id = action.data.transactionId
          return toAgentAction(action, id === undefined ? undefined : found?.record("Transaction", id))
        })
      })

      const list = Effect.fnUntraced(function* (filters: Where, query: ListQuery) {
        const page = yield* listPage("AgentAction", filters, query).pipe(Effect.provideService(Store, store))
        return { ...page, data: yield* present(page.data) }
      })

      return AgentActions.of({
        submitTransferIn: (order, keyed) =>
          submitTransfer("AgentActions.submitTransferIn", { type: "TRANSFER_IN", order }, keyed),
        submitTransferOut: (order, keyed) =>
          submitTransfer("AgentActions.submitTransferOut", { type: "TRANSFER_OUT", order }, keyed),
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
          const [resource] = yield* present([action])
          return resource ?? (yield* new ServiceError(notFound("action")))
        }),
      })
    }),
  )
}
