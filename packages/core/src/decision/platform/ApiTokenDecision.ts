/**
 * Decides the creation and revocation of API tokens.
 * Source: wire contract 5.8, 5.12 and 9; D-006, D-087.
 */
import { invalidInput, notFound, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import { type ApiTokenResource, toApiToken } from "../../model/platform/ApiTokenResource.ts"
import type { ApiToken } from "../../model/platform/Platform.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"

export const tokenNotFound = notFound("token", "TOKEN_NOT_FOUND")

/** Inserts a token. The response shows its secret, which the record stores only as a hash. */
export const createApiToken =
  (data: ApiToken, clientSecret: string) =>
  (_loaded: unknown, context: DecisionContext): Decision<ApiTokenResource> => {
    const { caller, ids, now } = context
    const owner = { platformId: caller.platformId, customerId: null }
    const token = Changes.insertedRecord("ApiToken", ids("Token"), owner, data, now)
    return answer(
      201,
      { ...toApiToken(token), clientSecret },
      Changes.combine(
        Changes.insert("ApiToken", token.id, owner, data),
        auditRecord(context, "TOKEN_CREATE", token, { details: { permissions: data.permissions } }),
      ),
    )
  }

export interface TokenRemovalLoaded {
  readonly token: Stored<"ApiToken"> | undefined
  /** The token that authenticates the request. `null`: the request was authenticated without one. */
  readonly callerToken: Stored<"ApiToken"> | undefined | null
}

/** Revokes a token. Guards the caller's token, so that two tokens that revoke each other leave one of them. */
export const removeApiToken = (
  { callerToken, token }: TokenRemovalLoaded,
  context: DecisionContext,
): Decision<null> => {
  if (callerToken === undefined) return refuse(unauthorizedFor("INVALID_CREDENTIALS"))
  if (token === undefined) return refuse(tokenNotFound)
  if (callerToken?.id === token.id) {
    return refuse({
      ...invalidInput([{ field: "tokenId", message: "must not be the token of this request" }]),
      details: { reason: "TOKEN_IN_USE" },
    })
  }
  return answer(
    204,
    null,
    Changes.combine(
      Changes.update(token, { ...token.data, isDeleted: true }),
      callerToken === null ? undefined : Changes.guard(callerToken),
      auditRecord(context, "TOKEN_DELETE", token),
    ),
  )
}
