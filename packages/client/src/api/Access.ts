/**
 * The permissions that an endpoint requires and the features that it supports, as an annotation of the endpoint.
 * Source: wire contract 9 (permission per area), 1.3 (agent permissions), 0.4 (idempotency) and 11 (10, 30).
 */
import type { AgentPermission, TokenPermission } from "@countersign/core/models"
import { Context } from "effect"

export interface Access {
  /** Permission that a platform's token must grant. */
  readonly tokenPermission?: TokenPermission
  /** Permission that an agent's policy must grant. */
  readonly agentPermission?: AgentPermission
  /** Whether a paused agent is refused. Reads stay allowed. */
  readonly isRefusedWhilePaused?: boolean
  /** Whether a session of the console gives access, too: to what its page shows and does. */
  readonly isForConsole?: boolean
  /** Whether a repeated `Idempotency-Key` replays the first response. */
  readonly isIdempotent?: boolean
}

export const Access = Context.Reference<Access>("@countersign/adapter-http/Access", { defaultValue: () => ({}) })
