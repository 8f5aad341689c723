/**
 * The wire format of agents, their policies and device codes.
 * Source: wire contract 1.2, 1.3 and 1.5.
 */
import { Schema, Struct } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import * as CrossField from "../../foundation/kit/CrossField.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import type { RecordOf } from "../record/Record.ts"
import type { Agent, DeviceCode } from "./Agent.ts"
import { AgentPolicy, AgentSpendingLimits } from "./Policy.ts"
import { nextDay, nextMonth, type Usage } from "./Usage.ts"

const Name = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)).annotate({
  description: "Label chosen by the platform.",
})

/** What an agent has used in the present UTC day and month. Sums are in the smallest unit of the spending limits' currency. */
export const AgentUsage = Schema.Struct({
  dailyTransactionCount: Schema.Int,
  dailySpend: Schema.Int,
  dailyResetDate: Schema.optionalKey(
    Schema.String.annotate({ format: "date", description: "The day on which the daily counters next become 0 (UTC)." }),
  ),
  monthlySpend: Schema.Int,
  monthlyResetMonth: Schema.optionalKey(
    Schema.String.annotate({ description: "The month, `YYYY-MM`, in which the monthly counter next becomes 0 (UTC)." }),
  ),
}).annotate({ identifier: "AgentUsage", description: "Counters in the currency of the spending limits." })

export const AgentResource = Schema.Struct({
  id: Id("Agent"),
  name: Schema.String,
  customerId: Id("Customer").annotate({ description: "The one customer that the agent may act for." }),
  isPaused: Schema.Boolean.annotate({ description: "While true no action can be started." }),
  isConnected: Schema.Boolean.annotate({ description: "Whether a device code was redeemed." }),
  policy: AgentPolicy,
  usage: AgentUsage,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "Agent" })
export type AgentResource = typeof AgentResource.Type

/** A page of agents, newest first. */
export const AgentListResponse = PageOf(AgentResource, "AgentListResponse")

/** A code that the installed software of an agent exchanges for its access token, once and within 24 hours. */
export const AgentDeviceCode = Schema.Struct({
  code: Schema.String.annotate({
    ...secret,
    description: "Readable groups, such as AGENT-X7K9-M2P4; shown this once.",
  }),
  agentId: Id("Agent"),
  expiresAt: Timestamp,
  redeemed: Schema.Boolean,
}).annotate({ identifier: "AgentDeviceCode" })
export type AgentDeviceCode = typeof AgentDeviceCode.Type

/** Body of `POST /agents`: a label, the one customer for whom the agent acts, and its policy. */
export const AgentCreateRequest = Schema.Struct({
  name: Name,
  customerId: Id("Customer"),
  policy: AgentPolicy,
}).annotate({
  identifier: "AgentCreateRequest",
})
export type AgentCreateRequest = typeof AgentCreateRequest.Type

/** Answer of `POST /agents`. The agent is unusable until the device code is redeemed. */
export const AgentCreateResponse = Schema.Struct({ agent: AgentResource, deviceCode: AgentDeviceCode }).annotate({
  identifier: "AgentCreateResponse",
})
export type AgentCreateResponse = typeof AgentCreateResponse.Type

/** Requires at least one of the fields. */
export const AgentUpdateRequest = Schema.Struct({
  name: Schema.optionalKey(Name),
  isPaused: Schema.optionalKey(Schema.Boolean.annotate({ description: "true blocks new executions." })),
})
  .check(
    CrossField.check((body) =>
      body["name"] !== undefined || body["isPaused"] !== undefined
        ? []
        : [{ path: [], message: "must have at least one of name, isPaused" }],
    ),
  )
  .annotate({ identifier: "AgentUpdateRequest" })
export type AgentUpdateRequest = typeof AgentUpdateRequest.Type

/** Every member is optional. An omitted member keeps its value. */
export const AgentPolicyUpdateRequest = AgentPolicy.mapFields(
  Struct.assign({ spendingLimits: AgentSpendingLimits.mapFields(Struct.map(Schema.optionalKey)) }),
)
  .mapFields(Struct.pick(["permissions", "defaultExecutionMode", "spendingLimits"]))
  .mapFields(Struct.map(Schema.optionalKey))
  .mapFields(Struct.assign(Struct.pick(AgentPolicy.fields, ["accountRestrictions", "approvalThresholds"])))
  .annotate({ identifier: "AgentPolicyUpdateRequest" })
export type AgentPolicyUpdateRequest = typeof AgentPolicyUpdateRequest.Type

/** Answer of `GET /agents/device-codes/{code}/status`, which the platform polls. */
export const AgentDeviceCodeStatusResponse = Schema.Struct({
  code: Schema.String.annotate(secret),
  redeemed: Schema.Boolean,
}).annotate({
  identifier: "AgentDeviceCodeStatusResponse",
})
export type AgentDeviceCodeStatusResponse = typeof AgentDeviceCodeStatusResponse.Type

/** Answer of `POST /agents/device-codes/{code}/redeem`: the agent's access token, and the policy under which it acts. */
export const AgentDeviceCodeRedeemResponse = Schema.Struct({
  agentId: Id("Agent"),
  agentName: Schema.String,
  accessToken: Schema.String.annotate({ ...secret, description: "The bearer token, shown once." }),
  expiresAt: Schema.optionalKey(
    Timestamp.annotate({ description: "From then on the token is refused. Absent: it does not expire." }),
  ),
  policy: AgentPolicy,
}).annotate({ identifier: "AgentDeviceCodeRedeemResponse" })
export type AgentDeviceCodeRedeemResponse = typeof AgentDeviceCodeRedeemResponse.Type

/** Returns the agent with its usage at `now` (Unix milliseconds). */
export const toAgent = (stored: RecordOf<"Agent", Agent>, usage: Usage, now: number): AgentResource => ({
  id: stored.id,
  name: stored.data.name,
  customerId: stored.customerId ?? "",
  isPaused: stored.data.isPaused,
  isConnected: stored.data.isConnected,
  policy: stored.data.policy,
  usage: {
    dailyTransactionCount: usage.dailyCount,
    dailySpend: usage.dailySpend,
    dailyResetDate: nextDay(now),
    monthlySpend: usage.monthlySpend,
    monthlyResetMonth: nextMonth(now),
  },
  createdAt: iso(stored.createdAt),
  updatedAt: iso(stored.updatedAt),
})

/** Returns the device code with its plain text. It is shown once, at issue, because only its hash is stored. */
export const toDeviceCode = (data: DeviceCode, code: string): AgentDeviceCode => ({
  code,
  agentId: data.agentId,
  expiresAt: iso(data.expiresAt),
  redeemed: data.status === "REDEEMED",
})
