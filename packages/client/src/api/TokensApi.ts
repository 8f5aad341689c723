/**
 * The API tokens of a platform.
 * Source: wire contract 5.8, 5.12 and 9.
 */
import {
  ApiTokenCreateRequest,
  ApiTokenResource,
  ApiTokenSecretCreateRequest,
  ApiTokenSecretResource,
  TokenListResponse,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented, extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { exactly, paging, pathId, times } from "./Parameters.ts"
import { created } from "./Statuses.ts"

const tokenId = { tokenId: pathId("token") }

export const TokensApi = HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.get("listTokens", "/tokens", {
      query: { name: exactly("Only tokens with this name."), ...times, ...paging },
      success: TokenListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(documented("listTokens", "List tokens", "The tokens of the platform, newest first.")),
    HttpApiEndpoint.post("createToken", "/tokens", {
      payload: ApiTokenCreateRequest,
      success: created(ApiTokenResource),
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "createToken",
          "Create a token",
          "The `clientId` and `clientSecret` are the user name and password of HTTP Basic. The secret is shown only once.",
        ),
      ),
    HttpApiEndpoint.get("getTokenById", "/tokens/:tokenId", {
      params: tokenId,
      success: ApiTokenResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(documented("getTokenById", "Get a token", "One token, without its secret.")),
    HttpApiEndpoint.post("createTokenSecret", "/tokens/:tokenId/secrets", {
      params: tokenId,
      payload: ApiTokenSecretCreateRequest,
      success: created(ApiTokenSecretResource),
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        extension(
          "createTokenSecret",
          "Add a secret to a token",
          "Two secrets of a token may be valid at once, so that clients can change from one to the other. The new secret is shown only once.",
        ),
      ),
    HttpApiEndpoint.delete("retireTokenSecret", "/tokens/:tokenId/secrets/:secretId", {
      params: { ...tokenId, secretId: pathId("secret") },
      success: HttpApiSchema.NoContent,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        extension(
          "retireTokenSecret",
          "Retire a secret of a token",
          "The secret is refused from the next request on. The request needs another valid secret of the token, or another token.",
        ),
      ),
    HttpApiEndpoint.delete("deleteTokenById", "/tokens/:tokenId", {
      params: tokenId,
      success: HttpApiSchema.NoContent,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "deleteTokenById",
          "Delete a token",
          "The token is refused from the next request on. A token cannot delete itself.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Tokens", description: "Credentials of the platform's programs." }))
