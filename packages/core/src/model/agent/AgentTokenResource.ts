/**
 * The rotation of an agent's access token on the wire.
 * Source: D-344.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { overlapSecondsMax } from "../platform/StoredSecret.ts"

/** Optional body of `POST /agents/{agentId}/token`, which answers with another access token. */
export const AgentTokenRotateRequest = Schema.Struct({
  overlapSeconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: overlapSecondsMax })).annotate({
      description: "How long the present token stays valid. 0 revokes it now. Default: 3600.",
    }),
  ),
}).annotate({ identifier: "AgentTokenRotateRequest" })
export type AgentTokenRotateRequest = typeof AgentTokenRotateRequest.Type

export const AgentTokenResource = Schema.Struct({
  agentId: Id("Agent"),
  accessToken: Schema.String.annotate({ ...secret, description: "The agent's bearer token; shown this once." }),
  expiresAt: Schema.optionalKey(Timestamp.annotate({ description: "From then on it is refused. Absent: never." })),
  previousExpiresAt: Schema.optionalKey(
    Timestamp.annotate({ description: "Until then the previous token is valid, too. Absent: it is refused already." }),
  ),
}).annotate({ identifier: "AgentToken" })
export type AgentTokenResource = typeof AgentTokenResource.Type
