/**
 * The platform's side of agents: create, read, pause, rename, revoke, and their policies.
 * Spec: 4.2; wire contract 1.1 to 1.3.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import {
  applyPolicyUpdate,
  convertUsage,
  newLimitCurrency,
  openBudget,
  withCurrencyChange,
} from "../../decision/agent/PolicyUpdate.ts"
import { auditRecord } from "../../decision/audit/Audit.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { type FieldProblem, invalidInput, notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import { inRange } from "../../foundation/money/Amount.ts"
import type { Agent } from "../../model/agent/Agent.ts"
import {
  type AgentCreateRequest,
  type AgentCreateResponse,
  type AgentPolicyUpdateRequest,
  type AgentResource,
  type AgentUpdateRequest,
  toAgent,
  toDeviceCode,
} from "../../model/agent/AgentResource.ts"
import type { AgentPolicy } from "../../model/agent/Policy.ts"
import { policyProblems } from "../../model/agent/PolicyShapeRules.ts"
import * as Usage from "../../model/agent/Usage.ts"
import { between, type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { ExchangeRates } from "../../ports/ExchangeRates.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { newDeviceCode } from "./DeviceCodes.ts"

type Result<A> = Effect.Effect<A, ServiceError | StoreUnavailable, CurrentCaller>
type Answered<A> = Operation.Answered<A>

export interface AgentsQuery extends ListQuery {
  readonly customerId?: string
  readonly isPaused?: boolean
  readonly isConnected?: boolean
  /** Inclusive bounds, Unix milliseconds. */
  readonly createdFrom?: number
  readonly createdTo?: number
  readonly updatedFrom?: number
  readonly updatedTo?: number
}

/** The internal accounts that a policy names. */
const accountsNamed = (policy: AgentPolicy): ReadonlyArray<string> => [
  ...(policy.accountRestrictions?.allowedAccountIds ?? []),
  ...(policy.accountRestrictions?.accountRules ?? []).map((rule) => rule.accountId),
]

const unsound = (problems: ReadonlyArray<FieldProblem>) =>
  problems.length === 0 ? undefined : Operation.refuse(invalidInput(problems))

export class Agents extends Context.Service<
  Agents,
  {
    readonly create: (request: AgentCreateRequest) => Result<Answered<AgentCreateResponse>>
    readonly list: (query: AgentsQuery) => Result<Page<AgentResource>>
    readonly get: (agentId: string) => Result<AgentResource>
    /** The calling agent. */
    readonly me: Result<AgentResource>
    /** Renames, pauses or resumes. A pause that was answered holds for everything after it. */
    readonly update: (agentId: string, request: AgentUpdateRequest) => Result<Answered<AgentResource>>
    readonly updatePolicy: (agentId: string, request: AgentPolicyUpdateRequest) => Result<Answered<AgentResource>>
    /** Revokes the agent's access for good. */
    readonly remove: (agentId: string) => Result<void>
  }
>()("@countersign/core/Agents") {
  static readonly layer = Layer.effect(
    Agents,
    Effect.gen(function* () {
      const store = yield* Store
      const rates = yield* ExchangeRates
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const usageOf = (agent: Stored<"Agent">, now: number, counter: (key: string) => number) => {
        const keys = Usage.keysAt(agent.id, Usage.budgetOf(agent.data), now)
        return { keys, usage: Usage.usageFrom(keys, counter) }
      }

      const present = Effect.fnUntraced(function* (agents: ReadonlyArray<Stored<"Agent">>) {
        const now = yield* Clock.currentTimeMillis
        const keys = agents.flatMap((agent) => Usage.keyList(Usage.keysAt(agent.id, Usage.budgetOf(agent.data), now)))
        const read = yield* store.read({ counters: keys })
        return agents.map((agent) => toAgent(agent, usageOf(agent, now, read.counter).usage, now))
      })

      const presentOne = (agent: Stored<"Agent">) =>
        Effect.flatMap(present([agent]), ([resource]) =>
          resource === undefined ? Effect.fail(new ServiceError(notFound("agent"))) : Effect.succeed(resource),
        )

      const load = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, agentId: string) {
        const agent = (yield* read({ records: [{ kind: "Agent", id: agentId }] })).record("Agent", agentId)
        if (agent === undefined || agent.data.isDeleted) return yield* new ServiceError(notFound("agent"))
        return agent
      })

      const knownAccounts = Effect.fnUntraced(function* (
        read: Operation.Read,
        policy: AgentPolicy,
        customerId: string | null,
      ) {
        const ids = accountsNamed(policy)
        const found = yield* read({ records: ids.map((id) => ({ kind: "InternalAccount", id })) })
        return new Set(
          ids.filter((id) => {
            const account = found.record("InternalAccount", id)
            return account !== undefined && account.customerId !== null && account.customerId === customerId
          }),
        )
      })

      const loadForCreate = Effect.fnUntraced(function* (read: Operation.Read, request: AgentCreateRequest) {
        const { customerId, policy } = request
        const customer = (yield* read({ records: [{ kind: "Customer", id: customerId }] })).record(
          "Customer",
          customerId,
        )
        return { customer, known: yield* knownAccounts(read, policy, customerId) }
      })

      const create = Effect.fnUntraced(
        function* (request: AgentCreateRequest) {
          const code = yield* Secrets.deviceCode
          return yield* Operation.run({
            name: "Agents.create",
            load: (read) => loadForCreate(read, request),
            decide: ({ customer, known }, context) => {
              const { ids, now } = context
              if (customer === undefined || customer.data.isDeleted) {
                return Operation.refuse(
                  invalidInput([{ field: "customerId", message: "must be a customer of the platform" }]),
                )
              }
              const refused = unsound(policyProblems(request.policy, known, "policy."))
              if (refused !== undefined) return refused
              const data: Agent = {
                name: request.name,
                isPaused: false,
                isConnected: false,
                isDeleted: false,
                policy: request.policy,
                recastCount: 0,
                recasts: [],
              }
              const owner = { platformId: customer.platformId, customerId: customer.id }
              const agent = Changes.insertedRecord("Agent", ids("Agent"), owner, data, now)
              const issued = newDeviceCode(ids, now, agent, code)
              const none = { dailyCount: 0, dailySpend: 0, monthlySpend: 0 }
              return Operation.answer<AgentCreateResponse>(
                201,
                { agent: toAgent(agent, none, now), deviceCode: toDeviceCode(issued.data, code) },
                Changes.combine(
                  Changes.insert("Agent", agent.id, owner, data),
                  issued.changes,
                  Changes.guard(customer),
                  auditRecord(context, "AGENT_CREATE", agent),
                ),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadWithUsage = Effect.fnUntraced(function* (read: Operation.Read, agentId: string) {
        const agent = yield* load(read, agentId)
        const now = yield* Clock.currentTimeMillis
        const keys = Usage.keysAt(agent.id, Usage.budgetOf(agent.data), now)
        const counters = yield* read({ counters: Usage.keyList(keys) })
        return { agent, now, keys, usage: Usage.usageFrom(keys, counters.counter) }
      })

      const update = Effect.fnUntraced(
        function* (agentId: string, request: AgentUpdateRequest) {
          return yield* Operation.run({
            name: "Agents.update",
            load: (read) => loadWithUsage(read, agentId),
            decide: ({ agent, usage }, context) => {
              const { now } = context
              const data: Agent = {
                ...agent.data,
                ...(request.name === undefined ? {} : { name: request.name }),
                ...(request.isPaused === undefined ? {} : { isPaused: request.isPaused }),
              }
              return Operation.answer<AgentResource>(
                200,
                toAgent(Changes.after(agent, data, now), usage, now),
                Changes.combine(
                  Changes.update(agent, data),
                  auditRecord(context, "AGENT_UPDATE", agent, {
                    details: { changed: Object.keys(request), isPaused: data.isPaused },
                  }),
                ),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadForPolicy = Effect.fnUntraced(function* (
        read: Operation.Read,
        agentId: string,
        request: AgentPolicyUpdateRequest,
      ) {
        const before = yield* loadWithUsage(read, agentId)
        const { policy } = before.agent.data
        const currency = newLimitCurrency(policy, request)
        const rate = currency && (yield* rates.rate(policy.spendingLimits.currency, currency))
        const next = applyPolicyUpdate(policy, request, rate)
        return { before, currency, rate, next, known: yield* knownAccounts(read, next, before.agent.customerId) }
      })

      const updatePolicy = Effect.fnUntraced(
        function* (agentId: string, request: AgentPolicyUpdateRequest) {
          return yield* Operation.run({
            name: "Agents.updatePolicy",
            load: (read) => loadForPolicy(read, agentId, request),
            decide: ({ before, currency, known, next, rate }, context) => {
              const { now } = context
              const { agent } = before
              if (currency !== undefined && rate === undefined) {
                return Operation.refuse({
                  code: "INVALID_CURRENCY",
                  message: "The limits cannot be recast: no exchange rate between the two currencies.",
                })
              }
              const refused = unsound(policyProblems(next, known))
              if (refused !== undefined) return refused
              const usage = rate === undefined ? before.usage : convertUsage(before.usage, rate)
              if (!inRange(Math.max(usage.dailySpend, usage.monthlySpend))) {
                return Operation.refuse({
                  code: "AMOUNT_OUT_OF_RANGE",
                  message: "In that currency the usage so far is beyond what can be counted exactly.",
                })
              }
              const recast = rate === undefined ? agent.data : withCurrencyChange(agent.data, rate, before.now)
              const data: Agent = { ...recast, policy: next }
              const opened = { keys: Usage.keysAt(agentId, Usage.budgetOf(data), before.now), usage }
              return Operation.answer<AgentResource>(
                200,
                toAgent(Changes.after(agent, data, now), usage, now),
                Changes.combine(
                  Changes.update(agent, data),
                  auditRecord(context, "AGENT_POLICY_UPDATE", agent, { details: { changed: Object.keys(request) } }),
                  rate === undefined
                    ? undefined
                    : {
                        counters: openBudget(before, opened, agent.customerId),
                        validUntil: Usage.endOfDay(before.now),
                      },
                ),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const remove = Effect.fnUntraced(
        function* (agentId: string) {
          yield* Operation.run({
            name: "Agents.remove",
            load: (read) => load(read, agentId),
            decide: (agent, context) =>
              Operation.answer(
                204,
                null,
                Changes.combine(
                  Changes.update(agent, { ...agent.data, isDeleted: true, isConnected: false }),
                  auditRecord(context, "AGENT_DELETE", agent),
                ),
              ),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return Agents.of({
        create,
        list: ({ createdFrom, createdTo, customerId, isConnected, isPaused, updatedFrom, updatedTo, ...query }) =>
          Effect.gen(function* () {
            const filters = where({
              customerId,
              isPaused,
              isConnected,
              isDeleted: false,
              createdAt: between(createdFrom, createdTo),
              updatedAt: between(updatedFrom, updatedTo),
            })
            const page = yield* listPage("Agent", filters, query)
            return { ...page, data: yield* present(page.data) }
          }).pipe(platformOnly, Effect.provideService(Store, store)),
        get: (agentId) => platformOnly(Effect.flatMap(load(store.read, agentId), presentOne)),
        me: Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const agent = yield* load(store.read, caller._tag === "Agent" ? caller.agentId : "")
          return yield* presentOne(agent)
        }),
        update,
        updatePolicy,
        remove,
      })
    }),
  )
}
