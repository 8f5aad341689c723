/**
 * An agent acts for one customer within its policy. Its usage lives in counters, so that traffic never writes the record
 * that traffic rests on.
 * Source: wire contract 1.2 and 1.5; architecture, "A change set is the one way to write".
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { AgentPolicy } from "./Policy.ts"

/** A change of the limits' currency: when (ms), and the exact rate that it was made at. */
export const Recast = Schema.Struct({
  /** How many recasts came before it. */
  index: Schema.Int,
  at: Schema.Int,
  from: CurrencyCode,
  to: CurrencyCode,
  numerator: Schema.String,
  denominator: Schema.String,
})
export type Recast = typeof Recast.Type

/** What is stored of an agent; of its access token only the hash. */
export const Agent = Schema.Struct({
  name: Schema.String,
  isPaused: Schema.Boolean,
  isConnected: Schema.Boolean,
  isDeleted: Schema.Boolean,
  policy: AgentPolicy,
  /** How often the limits were recast: each recast opens a budget of its own. */
  recastCount: Schema.Int,
  /** This month's recasts: what was charged before one of them is given back through it. */
  recasts: Schema.Array(Recast),
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
