/**
 * Decides the issue of a device code and its redemption for an access token.
 * Source: wire contract 1.5.
 */
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { invalidInput } from "../../foundation/errors/ServiceError.ts"
import type { IdSource } from "../../foundation/ids/IdPool.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { type DeviceCode, givenTo } from "../../model/agent/Agent.ts"
import {
  type AgentDeviceCode,
  type AgentDeviceCodeRedeemResponse,
  toDeviceCode,
} from "../../model/agent/AgentResource.ts"
import { limitKey } from "../../model/limit/LimitCounter.ts"
import type { StoredSecret } from "../../model/platform/StoredSecret.ts"
import { tokenIdOf } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { storedToken } from "./AgentTokenDecision.ts"

const codeLifetimeMillis = 24 * 60 * 60 * 1000

/** Returns a new device code of an agent with its insertion. `code`: its plain text. */
export const newDeviceCode = (
  ids: IdSource,
  now: number,
  agent: Stored<"Agent">,
  code: string,
): { readonly data: DeviceCode; readonly changes: Changes.Changes } => {
  const data: DeviceCode = {
    agentId: agent.id,
    codeHash: Secrets.hash(code),
    expiresAt: now + codeLifetimeMillis,
    status: "ISSUED",
  }
  return { data, changes: Changes.insert("DeviceCode", ids("DeviceCode"), agent, data) }
}

/** The records that the issue of a device code is decided on. */
export interface DeviceCodeIssueLoaded {
  readonly agent: Stored<"Agent">
  /** The agent's device codes that are neither redeemed nor invalidated. */
  readonly openCodes: ReadonlyArray<Stored<"DeviceCode">>
}

/** Issues a new device code and invalidates the earlier ones. */
export const issueDeviceCode =
  (code: string) =>
  ({ agent, openCodes }: DeviceCodeIssueLoaded, context: DecisionContext): Decision<AgentDeviceCode> => {
    if (agent.data.isConnected) {
      return refuse({
        code: "CONFLICT",
        message: "The agent is connected already; delete it and create another to install it anew.",
        details: { reason: "AGENT_CONNECTED" },
      })
    }
    const issued = newDeviceCode(context.ids, context.now, agent, code)
    return answer(
      201,
      toDeviceCode(issued.data, code),
      Changes.combine(
        issued.changes,
        // The agent owns the set of its codes: the update makes two concurrent issues a conflict.
        Changes.update(agent, givenTo(agent.data, tokenIdOf(context.caller))),
        auditRecord(context, "DEVICE_CODE_ISSUE", agent),
        ...openCodes.map((stored) => Changes.update(stored, { ...stored.data, status: "INVALIDATED" })),
      ),
    )
  }

type UnusableReason = "REDEEMED" | "INVALIDATED" | "EXPIRED" | "AGENT_REVOKED"

const unusable = (reason: UnusableReason) => ({
  ...invalidInput([{ field: "code", message: `is no longer usable (${reason})` }]),
  details: { reason },
})

/** The records that the redemption of a device code is decided on. */
export interface DeviceCodeRedemptionLoaded {
  readonly deviceCode: Stored<"DeviceCode">
  readonly agent: Stored<"Agent">
  /** The counter of audited refusals of the agent's codes in this window, and its value. */
  readonly auditedKey: string
  readonly audited: number
}

/** Returns the counter of audited refusals of an agent's codes in the window of `now` (ms). */
export const refusedCodeKey = (agentId: string, now: number): string => limitKey("WRONG_DEVICE_CODES", agentId, now)

const unusableReason = (
  { agent, deviceCode: { data } }: Pick<DeviceCodeRedemptionLoaded, "agent" | "deviceCode">,
  now: number,
): UnusableReason | undefined => {
  if (data.status !== "ISSUED") return data.status
  if (now >= data.expiresAt) return "EXPIRED"
  return agent.data.isDeleted ? "AGENT_REVOKED" : undefined
}

const expiryOf = ({ expiresAt }: StoredSecret) => (expiresAt === undefined ? {} : { expiresAt: iso(expiresAt) })

/** Redeems a device code for `accessToken`. The first refusal within a window is audited. */
export const redeemDeviceCode =
  (accessToken: string, lifetimeMillis?: number) =>
  (loaded: DeviceCodeRedemptionLoaded, context: DecisionContext): Decision<AgentDeviceCodeRedeemResponse> => {
    const { agent, audited, auditedKey, deviceCode } = loaded
    const by = { type: "AGENT", id: agent.id } as const
    const reason = unusableReason(loaded, context.now)
    if (reason !== undefined) {
      const audit = { by, outcome: "REFUSED", details: { reason } } as const
      if (audited > 0) return refuse(unusable(reason))
      const first = { counters: [{ key: auditedKey, delta: 1, expected: audited }] }
      return refuse(unusable(reason), Changes.combine(first, auditRecord(context, "DEVICE_CODE_REDEEM", agent, audit)))
    }
    const token = storedToken(accessToken, lifetimeMillis, context)
    return answer(
      200,
      { agentId: agent.id, agentName: agent.data.name, accessToken, ...expiryOf(token), policy: agent.data.policy },
      Changes.combine(
        Changes.update(deviceCode, { ...deviceCode.data, status: "REDEEMED" }),
        Changes.update(agent, { ...agent.data, isConnected: true, tokens: [token] }),
        auditRecord(context, "DEVICE_CODE_REDEEM", agent, { by }),
      ),
    )
  }
