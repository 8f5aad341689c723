/**
 * What a caller needs for an endpoint, as an annotation of the endpoint; and what the endpoint honours.
 * Source: wire contract 9 (permission per area), 1.3 (agent permissions), 0.4 (idempotency) and 11 (10, 30).
 */
import type { AgentPermission, TokenPermission } from "@countersign/core/models"
import { Context } from "effect"

export interface Access {
  /** What a platform's token must grant. */
  readonly tokenPermission?: TokenPermission
  /** What an agent's policy must grant. */
  readonly agentPermission?: AgentPermission
  /** Whether a paused agent is refused. Reading stays allowed. */
  readonly isRefusedWhilePaused?: boolean
  /** Whether `Idempotency-Key` brings back the first answer. */
  readonly isIdempotent?: boolean
}

export const Access = Context.Reference<Access>("@countersign/adapter-http/Access", { defaultValue: () => ({}) })
