/**
 * Device codes: how an agent's software is installed, once, and gets its access token.
 * Source: wire contract 1.5.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { auditRecord } from "../../decision/audit/Audit.ts"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { invalidInput, notFound, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import type { DeviceCode } from "../../model/agent/Agent.ts"
import {
  type AgentDeviceCode,
  type AgentDeviceCodeRedeemResponse,
  type AgentDeviceCodeStatusResponse,
  toDeviceCode,
} from "../../model/agent/AgentResource.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import { CurrentCaller, tenant } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { deviceCodeClaim } from "../../store/Kinds.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"

type Failure = ServiceError | StoreUnavailable

const lifetimeMillis = 24 * 60 * 60 * 1000
/** One agent never has more unredeemed codes than this: each new code invalidates the earlier ones. */
const openCodesMax = 100

/** A new code of an agent, as part of the change that issues it. */
export const newDeviceCode = (
  ids: IdSource,
  now: number,
  agent: Stored<"Agent">,
  code: string,
): { readonly data: DeviceCode; readonly changes: Changes.Changes } => {
  const data: DeviceCode = {
    agentId: agent.id,
    codeHash: Secrets.hash(code),
    expiresAt: now + lifetimeMillis,
    status: "ISSUED",
  }
  return { data, changes: Changes.insert("DeviceCode", ids("DeviceCode"), agent, data) }
}

type Unusable = "REDEEMED" | "INVALIDATED" | "EXPIRED" | "AGENT_REVOKED"

const unusable = (reason: Unusable) => ({
  ...invalidInput([{ field: "code", message: `is no longer usable (${reason})` }]),
  details: { reason },
})

export class DeviceCodes extends Context.Service<
  DeviceCodes,
  {
    /** A new code; the agent's earlier unredeemed ones end. 409 `CONFLICT` while the agent is connected. */
    readonly issue: (agentId: string) => Effect.Effect<Operation.Answered<AgentDeviceCode>, Failure, CurrentCaller>
    readonly status: (code: string) => Effect.Effect<AgentDeviceCodeStatusResponse, Failure, CurrentCaller>
    /** The access token, shown once. Needs no credentials: the code is one. */
    readonly redeem: (code: string) => Effect.Effect<Operation.Answered<AgentDeviceCodeRedeemResponse>, Failure>
  }
>()("@countersign/core/DeviceCodes") {
  static readonly layer = Layer.effect(
    DeviceCodes,
    Effect.gen(function* () {
      const store = yield* Store
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const find = Effect.fnUntraced(function* (code: string) {
        const found = yield* store.resolve(deviceCodeClaim(Secrets.hash(code)))
        return found ?? (yield* new ServiceError(notFound("device code")))
      })

      const loadOpen = Effect.fnUntraced(function* (read: Operation.Read, agentId: string) {
        const agent = (yield* read({ records: [{ kind: "Agent", id: agentId }] })).record("Agent", agentId)
        if (agent === undefined || agent.data.isDeleted) return yield* new ServiceError(notFound("agent"))
        const open = yield* store.list(
          "DeviceCode",
          { agentId: { eq: agentId }, status: { eq: "ISSUED" } },
          { limit: openCodesMax, order: "desc" },
        )
        return { agent, open: open.data }
      })

      const issue = Effect.fnUntraced(
        function* (agentId: string) {
          const code = yield* Secrets.deviceCode
          return yield* Operation.run({
            name: "DeviceCodes.issue",
            load: (read) => loadOpen(read, agentId),
            decide: ({ agent, open }, context) => {
              const { ids, now } = context
              if (agent.data.isConnected) {
                return Operation.refuse({
                  code: "CONFLICT",
                  message: "The agent is connected already; delete it and create another to install it anew.",
                  details: { reason: "AGENT_CONNECTED" },
                })
              }
              const issued = newDeviceCode(ids, now, agent, code)
              return Operation.answer<AgentDeviceCode>(
                201,
                toDeviceCode(issued.data, code),
                Changes.combine(
                  issued.changes,
                  // The agent owns the set of its codes: two issues at once must meet.
                  Changes.update(agent, agent.data),
                  auditRecord(context, "DEVICE_CODE_ISSUE", agent),
                  ...open.map((stored) => Changes.update(stored, { ...stored.data, status: "INVALIDATED" })),
                ),
              )
            },
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      const loadCode = Effect.fnUntraced(function* <E>(read: Operation.Read<E>, codeId: string) {
        const stored = (yield* read({ records: [{ kind: "DeviceCode", id: codeId }] })).record("DeviceCode", codeId)
        if (stored === undefined) return yield* new ServiceError(notFound("device code"))
        const { agentId } = stored.data
        const agent = (yield* read({ records: [{ kind: "Agent", id: agentId }] })).record("Agent", agentId)
        if (agent === undefined) return yield* new ServiceError(notFound("device code"))
        return { stored, agent }
      })

      const redeem = Effect.fnUntraced(function* (code: string) {
        const found = yield* find(code)
        const accessToken = yield* Secrets.agentToken
        return yield* Operation.run({
          name: "DeviceCodes.redeem",
          load: (read) => loadCode(read, found.id),
          decide: ({ agent, stored }, context) => {
            const { now } = context
            const by = { type: "AGENT", id: agent.id } as const
            const refused = (reason: Unusable) =>
              Operation.refuse(
                unusable(reason),
                auditRecord(context, "DEVICE_CODE_REDEEM", agent, { by, outcome: "REFUSED", details: { reason } }),
              )
            if (stored.data.status !== "ISSUED") return refused(stored.data.status)
            if (now >= stored.data.expiresAt) return refused("EXPIRED")
            if (agent.data.isDeleted) return refused("AGENT_REVOKED")
            const tokenHash = Secrets.hash(accessToken)
            return Operation.answer<AgentDeviceCodeRedeemResponse>(
              200,
              { agentId: agent.id, agentName: agent.data.name, accessToken, policy: agent.data.policy },
              Changes.combine(
                Changes.update(stored, { ...stored.data, status: "REDEEMED" }),
                Changes.update(agent, { ...agent.data, isConnected: true, tokenHash }),
                auditRecord(context, "DEVICE_CODE_REDEEM", agent, { by }),
              ),
            )
          },
        }).pipe(Effect.provideService(CurrentCaller, tenant(found.platformId)))
      }, Effect.provideContext(services))

      return DeviceCodes.of({
        issue,
        redeem,
        status: Effect.fnUntraced(function* (code) {
          const { platformId } = yield* CurrentCaller
          const found = yield* find(code)
          if (found.platformId !== platformId) return yield* new ServiceError(notFound("device code"))
          const { stored } = yield* loadCode(store.read, found.id)
          return { code, redeemed: stored.data.status === "REDEEMED" }
        }),
      })
    }),
  )
}
