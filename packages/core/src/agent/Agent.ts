/**
 * An agent acts for one customer within its policy. Its usage lives in counters, so that traffic never writes the record
 * that traffic rests on.
 * Source: wire contract 1.2 and 1.5; architecture, "A change set is the one way to write".
 */
import { Schema } from "effect"
import { AgentPolicy } from "./Policy.ts"

/** What is stored of an agent; of its access token only the hash. */
export const Agent = Schema.Struct({
  name: Schema.String,
  isPaused: Schema.Boolean,
  isConnected: Schema.Boolean,
  isDeleted: Schema.Boolean,
  policy: AgentPolicy,
  tokenHash: Schema.optionalKey(Schema.String),
})
export type Agent = typeof Agent.Type

/** What is stored of a device code; of the code itself only the hash. */
export const DeviceCode = Schema.Struct({
  agentId: Schema.String,
  codeHash: Schema.String,
  expiresAt: Schema.Int,
  status: Schema.Literals(["ISSUED", "REDEEMED", "INVALIDATED"]),
})
export type DeviceCode = typeof DeviceCode.Type
