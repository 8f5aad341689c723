/**
 * Decides the creation, rotation and revocation of API tokens.
 * Source: wire contract 5.8, 5.12 and 9; D-006, D-087, D-343.
 */
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import { invalidInput, notFound, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import {
  type ApiTokenCreateRequest,
  type ApiTokenResource,
  type ApiTokenSecretCreateRequest,
  type ApiTokenSecretResource,
  toApiToken,
  toApiTokenSecret,
} from "../../model/platform/ApiTokenResource.ts"
import type { ApiToken } from "../../model/platform/Platform.ts"
import { type StoredSecret, secretsMax, validSecrets, withNewSecret } from "../../model/platform/StoredSecret.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"

export const tokenNotFound = notFound("token", "TOKEN_NOT_FOUND")

/** Inserts a token. The response shows its secret, which the record stores only as a hash. */
export const createApiToken =
  ({ name, permissions, expiresAt }: ApiTokenCreateRequest, clientId: string, clientSecret: string) =>
  (_loaded: unknown, context: DecisionContext): Decision<ApiTokenResource> => {
    const { caller, ids, now } = context
    if (expiresAt !== undefined && expiresAt <= now) {
      return refuse(invalidInput([{ field: "expiresAt", message: "must be in the future" }]))
    }
    const secret = { id: ids("Secret"), hash: Secrets.hash(clientSecret), createdAt: now }
    const data: ApiToken = {
      name,
      clientId,
      secrets: [secret],
      permissions,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      isDeleted: false,
    }
    const owner = { platformId: caller.platformId, customerId: null }
    const token = Changes.insertedRecord("ApiToken", ids("Token"), owner, data, now)
    return answer(
      201,
      { ...toApiToken(token, now), clientSecret },
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

const tooManySecrets = {
  code: "CONFLICT",
  message: `The token has ${secretsMax} valid secrets; retire one first.`,
  details: { reason: "TOO_MANY_SECRETS" },
} as const

/** Adds a secret beside the present one, which stays valid for the overlap or until it is retired. */
export const addTokenSecret =
  ({ overlapSeconds }: ApiTokenSecretCreateRequest, clientSecret: string) =>
  (
    { token }: { readonly token: Stored<"ApiToken"> | undefined },
    context: DecisionContext,
  ): Decision<ApiTokenSecretResource> => {
    if (token === undefined) return refuse(tokenNotFound)
    const { ids, now } = context
    const added: StoredSecret = { id: ids("Secret"), hash: Secrets.hash(clientSecret), createdAt: now }
    const overlapUntil = overlapSeconds === undefined ? undefined : now + overlapSeconds * 1000
    const secrets = withNewSecret(token.data.secrets, added, overlapUntil)
    if (secrets.length > secretsMax) return refuse(tooManySecrets)
    return answer(
      201,
      { ...toApiTokenSecret(added, () => 0), clientSecret },
      Changes.combine(
        Changes.update(token, { ...token.data, secrets }),
        auditRecord(context, "TOKEN_SECRET_ADD", token, { details: { secretId: added.id } }),
      ),
    )
  }

const secretNotFound = notFound("secret")

/** Retires a secret. The request must be authenticated by another one, which proves that the platform has it. */
export const retireTokenSecret =
  (secretId: string) =>
  ({ token }: { readonly token: Stored<"ApiToken"> | undefined }, context: DecisionContext): Decision<null> => {
    if (token === undefined) return refuse(tokenNotFound)
    const { caller, now } = context
    const valid = validSecrets(token.data.secrets, now)
    const rest = valid.filter(({ id }) => id !== secretId)
    if (rest.length === valid.length) return refuse(secretNotFound)
    const isOfRequest = caller._tag === "Platform" && caller.secretId === secretId
    if (rest.length === 0 || isOfRequest) {
      return refuse({
        ...invalidInput([
          {
            field: "secretId",
            message: isOfRequest ? "must not be the secret of this request" : "must not be the only one",
          },
        ]),
        details: { reason: isOfRequest ? "SECRET_IN_USE" : "LAST_SECRET" },
      })
    }
    return answer(
      204,
      null,
      Changes.combine(
        Changes.update(token, { ...token.data, secrets: rest }),
        auditRecord(context, "TOKEN_SECRET_RETIRE", token, { details: { secretId } }),
      ),
    )
  }
