/**
 * The stored agent and its device codes. An agent acts for one customer within its policy. Its usage is stored in counters, so
 * that traffic never writes the record that traffic guards.
 * Source: wire contract 1.2 and 1.5; architecture, "A change set is the only way to write".
 */
import { Schema } from "effect"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { StoredSecret } from "../platform/StoredSecret.ts"
import { AgentPolicy } from "./Policy.ts"

/** A change of the limits' currency, with its time (ms) and its exact rate. */
export const LimitCurrencyChange = Schema.Struct({
  /** Number of currency changes before this one. */
  index: Schema.Int,
  at: Schema.Int,
  from: CurrencyCode,
  to: CurrencyCode,
  numerator: Schema.String,
  denominator: Schema.String,
})
export type LimitCurrencyChange = typeof LimitCurrencyChange.Type

/** The stored agent. Of its access tokens only the hashes are stored. */
export const Agent = Schema.Struct({
  name: Schema.String,
  isPaused: Schema.Boolean,
  isConnected: Schema.Boolean,
  isDeleted: Schema.Boolean,
  policy: AgentPolicy,
  /** Number of changes of the limits' currency. Each change opens a new budget. */
  recastCount: Schema.Int,
  /** This month's currency changes. A charge made before a change is converted by it when it is reversed. */
  recasts: Schema.Array(LimitCurrencyChange),
  /** Its access tokens, oldest first; two while one replaces the other. */
  tokens: Schema.Array(StoredSecret),
  /** The API tokens whose holders were given a credential of the agent. Absent: it was created before this was stored (D-532). */
  givenTo: Schema.optionalKey(Schema.Array(Schema.String)),
})
export type Agent = typeof Agent.Type

/** Returns the agent after the holder of an API token was given a credential of it. */
export const givenTo = <A extends Pick<Agent, "givenTo">>(agent: A, tokenId: string | null): A =>
  tokenId === null || agent.givenTo?.includes(tokenId) === true
    ? agent
    : { ...agent, givenTo: [...(agent.givenTo ?? []), tokenId] }

/** The stored device code. Of the code itself only the hash is stored. */
export const DeviceCode = Schema.Struct({
  agentId: Schema.String,
  codeHash: Schema.String,
  expiresAt: Schema.Int,
  status: Schema.Literals(["ISSUED", "REDEEMED", "INVALIDATED"]),
})
export type DeviceCode = typeof DeviceCode.Type
