/**
 * What agents do and platforms decide: submit, approve, reject, and the lists of both.
 * Spec: 4.1, 4.2; wire contract 1.1, 1.4 and 1.6.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { notFound, ServiceError } from "../errors/ServiceError.ts"
import type { Page } from "../kit/Page.ts"
import type { CurrencyCode } from "../money/Currencies.ts"
import { identity, type Rate } from "../money/Rate.ts"
import { audited } from "../operation/Audit.ts"
import * as Changes from "../operation/Changes.ts"
import { between, type ListQuery, listPage, where } from "../operation/Listing.ts"
import * as Operation from "../operation/Operation.ts"
import { platformOnly } from "../operation/PlatformOnly.ts"
import { CurrentCaller } from "../ports/Caller.ts"
import type { Stored } from "../ports/ChangeSet.ts"
import { ExchangeRates } from "../ports/ExchangeRates.ts"
import { Rails } from "../ports/Rails.ts"
import { Store, type StoreUnavailable, type Where } from "../ports/Store.ts"
import type { WallTime } from "../ports/WallTime.ts"
import * as TransferIn from "../transaction/TransferInDecision.ts"
import { reject } from "./ActionChanges.ts"
import type { AgentActionStatus } from "./AgentAction.ts"
import { type AgentActionResource, toAgentAction } from "./AgentActionResource.ts"
import { currenciesCompared } from "./PolicyRules.ts"
import { approve, decided, submit, type TransferInLoaded } from "./TransferInDecision.ts"
import * as Usage from "./Usage.ts"

type Failure = ServiceError | StoreUnavailable
type Result<A> = Effect.Effect<A, Failure, CurrentCaller>
type Answered = Operation.Answered<AgentActionResource>

export interface ApprovalsQuery extends ListQuery {
  readonly agentId?: string
  readonly customerId?: string
  /** Inclusive bounds on `createdAt`, Unix milliseconds. */
  readonly from?: number
  readonly to?: number
}

export class AgentActions extends Context.Service<
  AgentActions,
  {
    /** The calling agent's transfer-in: `APPROVED`, `PENDING_APPROVAL` or `FAILED`; or refused. */
    readonly submitTransferIn: (request: TransferIn.TransferInOrder, keyed?: Operation.Keyed) => Result<Answered>
    /** Approves a held action: `APPROVED`, or `FAILED` where it can no longer be executed. */
    readonly approve: (agentId: string, actionId: string) => Result<Answered>
    readonly reject: (agentId: string, actionId: string, reason?: string) => Result<Answered>
    /** The actions of the platform that wait for approval. */
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
      const rails = yield* Rails
      const rates = yield* ExchangeRates
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const ratesFrom = Effect.fnUntraced(function* (from: CurrencyCode, into: ReadonlyArray<CurrencyCode>) {
        const known = new Map<CurrencyCode, Rate>()
        for (const to of into) {
          const rate = from === to ? identity(from) : yield* rates.rate(from, to)
          if (rate !== undefined) known.set(to, rate)
        }
        return known
      })

      /** Loads and asks what a transfer-in rests on; counters are read in the same trip when the budget is guessed right. */
      const loadTransferIn = Effect.fnUntraced(function* (
        read: Operation.Read,
        agentId: string,
        customerId: string,
        request: TransferIn.TransferInOrder,
        guess: string,
      ) {
        const now = yield* Clock.currentTimeMillis
        const wanted = TransferIn.wanted(request)
        const guessed = Usage.keysAt(agentId, guess, now)
        const first = yield* read({
          records: [{ kind: "Agent", id: agentId }, { kind: "Customer", id: customerId }, ...wanted.records],
          balances: wanted.balances,
          counters: Usage.keyList(guessed),
        })
        const agent = first.record("Agent", agentId)
        const customer = first.record("Customer", customerId)
        if (agent === undefined || customer === undefined) return yield* new ServiceError(notFound("agent"))
        const budget = Usage.budgetOf(agent.data)
        const keys = Usage.keysAt(agentId, budget, now)
        const counters = budget === guess ? first : yield* read({ counters: Usage.keyList(keys) })
        const own = <A extends { readonly customerId: string | null }>(record: A | undefined) =>
          record?.customerId === customerId ? record : undefined
        const accounts = TransferIn.accountsOf(first, request)
        const source = own(accounts.source)
        const destination = own(accounts.destination)
        const inspection =
          source &&
          (yield* rails.inspectPull(
            { accountId: source.id, currency: source.data.currency, accountInfo: source.data.accountInfo },
            request.amount,
          ))
        const into = destination
          ? currenciesCompared({
              agent: agent.data,
              accounts: [{ id: destination.id, currency: destination.data.currency }],
            })
          : []
        const loaded: TransferInLoaded = {
          ...accounts,
          agent,
          customer,
          source,
          destination,
          inspection,
          rates: destination ? yield* ratesFrom(destination.data.currency, into) : new Map(),
          usage: Usage.usageFrom(keys, counters.counter),
          dayEndsAt: Usage.dayEnd(now),
        }
        return loaded
      })

      const submitTransferIn = Effect.fnUntraced(function* (
        request: TransferIn.TransferInOrder,
        keyed?: Operation.Keyed,
      ) {
        const caller = yield* CurrentCaller
        if (caller._tag !== "Agent") return yield* Effect.die(new Error("only an agent submits actions"))
        return yield* Operation.run({
          name: "AgentActions.submitTransferIn",
          keyed,
          load: (read) => loadTransferIn(read, caller.agentId, caller.customerId, request, caller.budget),
          decide: submit(request),
        })
      }, Effect.provideContext(services))

      const transactionOf = Effect.fnUntraced(function* (read: Operation.Read, action: Stored<"AgentAction">) {
        const id = action.data.transactionId
        return id === undefined
          ? undefined
          : (yield* read({ records: [{ kind: "Transaction", id }] })).record("Transaction", id)
      })

      const loadAction = Effect.fnUntraced(function* (read: Operation.Read, agentId: string, actionId: string) {
        const found = yield* read({
          records: [
            { kind: "AgentAction", id: actionId },
            { kind: "Agent", id: agentId },
          ],
        })
        const action = found.record("AgentAction", actionId)
        const agent = found.record("Agent", agentId)
        if (action === undefined || agent === undefined || action.data.agentId !== agentId) {
          return yield* new ServiceError(notFound("action"))
        }
        if (action.data.status !== "PENDING_APPROVAL") {
          return yield* new ServiceError(decided(action, yield* transactionOf(read, action)))
        }
        return { action, agent }
      })

      const loadHeld = Effect.fnUntraced(function* (read: Operation.Read, agentId: string, actionId: string) {
        const { action, agent } = yield* loadAction(read, agentId, actionId)
        const { transferDetails } = action.data
        if (agent.customerId === null || transferDetails === undefined) {
          return yield* Effect.die(new Error(`${actionId} is not a transfer of a customer's agent`))
        }
        const budget = Usage.budgetOf(agent.data)
        return { action, loaded: yield* loadTransferIn(read, agentId, agent.customerId, transferDetails, budget) }
      })

      const approveAction = Effect.fnUntraced(
        function* (agentId: string, actionId: string) {
          return yield* Operation.run({
            name: "AgentActions.approve",
            load: (read) => loadHeld(read, agentId, actionId),
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
            load: (read) => loadAction(read, agentId, actionId),
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
        submitTransferIn,
        approve: approveAction,
        reject: rejectAction,
        approvals: ({ agentId, customerId, from, to, ...query }) =>
          platformOnly(
            list(where({ status: "PENDING_APPROVAL", agentId, customerId, createdAt: between(from, to) }), query),
          ),
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
