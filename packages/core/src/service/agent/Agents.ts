/**
 * A platform's agents: create, read, rename, pause, delete, and update their policies.
 * Spec: 4.2; wire contract 1.1 to 1.3.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { createAgent, removeAgent, updateAgent } from "../../decision/agent/AgentDecision.ts"
import { rotateAgentToken } from "../../decision/agent/AgentTokenDecision.ts"
import { updateAgentPolicy } from "../../decision/agent/PolicyUpdateDecision.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { Page } from "../../foundation/kit/Page.ts"
import {
  type AgentCreateRequest,
  type AgentCreateResponse,
  type AgentPolicyUpdateRequest,
  type AgentResource,
  type AgentUpdateRequest,
  toAgent,
} from "../../model/agent/AgentResource.ts"
import type { AgentTokenResource, AgentTokenRotateRequest } from "../../model/agent/AgentTokenResource.ts"
import * as Usage from "../../model/agent/Usage.ts"
import { between, type ListQuery, listPage, where } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { ExchangeRates } from "../../ports/ExchangeRates.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { AgentTokenLifetime } from "../../settings/AgentTokenLifetime.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { loadAgent, loadAgentWithUsage } from "./AgentLoads.ts"
import { askRate, loadForPolicyUpdate, loadOwnAccountIds } from "./PolicyUpdateSteps.ts"

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

const loadForCreation = Effect.fnUntraced(function* (read: Operation.Read, request: AgentCreateRequest) {
  const { customerId, policy } = request
  const found = yield* read({ records: [{ kind: "Customer", id: customerId }] })
  return {
    customer: found.record("Customer", customerId),
    ownAccountIds: yield* loadOwnAccountIds(read, policy.accountRestrictions, customerId),
  }
})

export class Agents extends Context.Service<
  Agents,
  {
    readonly create: (request: AgentCreateRequest) => Result<Answered<AgentCreateResponse>>
    readonly list: (query: AgentsQuery) => Result<Page<AgentResource>>
    readonly get: (agentId: string) => Result<AgentResource>
    /** Returns the calling agent. */
    readonly me: Result<AgentResource>
    /** Renames, pauses or resumes. Once a pause is answered, no later action of the agent starts. */
    readonly update: (agentId: string, request: AgentUpdateRequest) => Result<Answered<AgentResource>>
    readonly updatePolicy: (agentId: string, request: AgentPolicyUpdateRequest) => Result<Answered<AgentResource>>
    /** Returns a new access token, shown once; the present one stays valid for the overlap. Errors: `CONFLICT` unless connected. */
    readonly rotateToken: (agentId: string, request: AgentTokenRotateRequest) => Result<Answered<AgentTokenResource>>
    /** Revokes the agent's access for good. */
    readonly remove: (agentId: string) => Result<void>
  }
>()("@countersign/core/Agents") {
  static readonly layer = Layer.effect(
    Agents,
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom | ExchangeRates>()

      /** Returns the agents with their usage. */
      const withUsage = Effect.fnUntraced(function* (agents: ReadonlyArray<Stored<"Agent">>) {
        const now = yield* Clock.currentTimeMillis
        const keysOf = (agent: Stored<"Agent">) => Usage.keysAt(agent.id, Usage.budgetOf(agent.data), now)
        const read = yield* store.read({ counters: agents.flatMap((agent) => Usage.keyList(keysOf(agent))) })
        return agents.map((agent) => toAgent(agent, Usage.usageFrom(keysOf(agent), read.counter), now))
      })

      const get = Effect.fnUntraced(function* (agentId: string) {
        const [resource] = yield* withUsage([yield* loadAgent(store.read, agentId)])
        return resource ?? (yield* new ServiceError(notFound("agent")))
      })

      const create = Effect.fnUntraced(
        function* (request: AgentCreateRequest) {
          const code = yield* Secrets.deviceCode
          return yield* Operation.run({
            name: "Agents.create",
            load: (read) => loadForCreation(read, request),
            decide: createAgent(request, code),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const update = Effect.fnUntraced(
        function* (agentId: string, request: AgentUpdateRequest) {
          return yield* Operation.run({
            name: "Agents.update",
            load: (read) => loadAgentWithUsage(read, agentId),
            decide: updateAgent(request),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const updatePolicy = Effect.fnUntraced(
        function* (agentId: string, request: AgentPolicyUpdateRequest) {
          return yield* Operation.run({
            name: "Agents.updatePolicy",
            load: (read) => loadForPolicyUpdate(read, agentId, request),
            ask: (loaded) => askRate(loaded, request),
            decide: updateAgentPolicy(request),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const rotateToken = Effect.fnUntraced(
        function* (agentId: string, request: AgentTokenRotateRequest) {
          const accessToken = yield* Secrets.agentToken
          const lifetimeMillis = yield* AgentTokenLifetime
          return yield* Operation.run({
            name: "Agents.rotateToken",
            load: (read) => Effect.map(loadAgent(read, agentId), (agent) => ({ agent })),
            decide: rotateAgentToken(request, accessToken, lifetimeMillis),
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const remove = Effect.fnUntraced(
        function* (agentId: string) {
          yield* Operation.run({
            name: "Agents.remove",
            load: (read) => Effect.map(loadAgent(read, agentId), (agent) => ({ agent })),
            decide: removeAgent,
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
            return { ...page, data: yield* withUsage(page.data) }
          }).pipe(platformOnly, Effect.provideService(Store, store)),
        get: (agentId) => platformOnly(get(agentId)),
        me: Effect.gen(function* () {
          const caller = yield* CurrentCaller
          return yield* get(caller._tag === "Agent" ? caller.agentId : "")
        }),
        update,
        updatePolicy,
        rotateToken,
        remove,
      })
    }),
  )
}
