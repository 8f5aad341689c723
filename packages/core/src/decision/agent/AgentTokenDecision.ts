/**
 * Decides the rotation of an agent's access token: a new one, and a bounded time in which the old one stays valid.
 * Source: D-344.
 */
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import { givenTo } from "../../model/agent/Agent.ts"
import type { AgentTokenResource, AgentTokenRotateRequest } from "../../model/agent/AgentTokenResource.ts"
import { type StoredSecret, withNewSecret } from "../../model/platform/StoredSecret.ts"
import { tokenIdOf } from "../../store/Caller.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"

const overlapSecondsDefault = 60 * 60

/** Returns a new token as the record stores it. */
export const storedToken = (
  accessToken: string,
  lifetimeMillis: number | undefined,
  { ids, now }: Pick<DecisionContext, "ids" | "now">,
): StoredSecret => ({
  id: ids("Secret"),
  hash: Secrets.hash(accessToken),
  createdAt: now,
  ...(lifetimeMillis === undefined ? {} : { expiresAt: now + lifetimeMillis }),
})

export const rotateAgentToken =
  ({ overlapSeconds = overlapSecondsDefault }: AgentTokenRotateRequest, accessToken: string, lifetimeMillis?: number) =>
  ({ agent }: { readonly agent: Stored<"Agent"> }, context: DecisionContext): Decision<AgentTokenResource> => {
    if (!agent.data.isConnected) {
      return refuse({
        code: "CONFLICT",
        message: "The agent is not connected; its device code gives it its first token.",
        details: { reason: "AGENT_NOT_CONNECTED" },
      })
    }
    const added = storedToken(accessToken, lifetimeMillis, context)
    // Of several tokens only the latest overlaps, so that an agent never has more than two.
    const tokens = withNewSecret(agent.data.tokens.slice(-1), added, context.now + overlapSeconds * 1000)
    const previous = tokens.find(({ id }) => id !== added.id)
    return answer(
      201,
      {
        agentId: agent.id,
        accessToken,
        ...(added.expiresAt === undefined ? {} : { expiresAt: iso(added.expiresAt) }),
        ...(previous?.expiresAt === undefined ? {} : { previousExpiresAt: iso(previous.expiresAt) }),
      },
      Changes.combine(
        Changes.update(agent, givenTo({ ...agent.data, tokens }, tokenIdOf(context.caller))),
        auditRecord(context, "AGENT_TOKEN_ROTATE", agent, { details: { overlapSeconds } }),
      ),
    )
  }
