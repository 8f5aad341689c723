/**
 * Stablecoins that a provider issues for a platform: links to providers, registration, mints and burns.
 * Source: wire contract areas 1.6.
 */
import {
  ProviderAccountStatus,
  StablecoinBurnRequest,
  StablecoinIssuanceStatus,
  StablecoinListResponse,
  StablecoinMintRequest,
  StablecoinOperationListResponse,
  StablecoinOperationResource,
  StablecoinOperationType,
  StablecoinProviderAccountLinkRequest,
  StablecoinProviderAccountListResponse,
  StablecoinProviderAccountResource,
  StablecoinProviderName,
  StablecoinRegisterRequest,
  StablecoinResource,
  StablecoinServiceOperationsStatus,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { paging, pathId, requiredIdempotencyKey } from "./Parameters.ts"
import { created } from "./Statuses.ts"

const params = { stablecoinId: pathId("stablecoin") }
const view = { tokenPermission: "VIEW" } as const
const manage = { tokenPermission: "MANAGE", isIdempotent: true } as const
const transact = { tokenPermission: "TRANSACT", isIdempotent: true } as const
const createdOperation = created(StablecoinOperationResource)

export const StablecoinsApi = HttpApiGroup.make("stablecoins")
  .add(
    HttpApiEndpoint.post("linkStablecoinProviderAccount", "/stablecoin-provider-accounts", {
      headers: requiredIdempotencyKey,
      payload: StablecoinProviderAccountLinkRequest,
      success: created(StablecoinProviderAccountResource),
      error: failures(409),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "linkStablecoinProviderAccount",
          "Link a provider account",
          "Links the platform's account at a provider of stablecoins. The provider checks the credentials; the secret is stored sealed and never shown. Linking an `INVALID` account again gives it new credentials and keeps its id; 409 while it is `ACTIVE`.",
        ),
      ),
    HttpApiEndpoint.get("listStablecoinProviderAccounts", "/stablecoin-provider-accounts", {
      query: {
        provider: Schema.optionalKey(StablecoinProviderName),
        status: Schema.optionalKey(ProviderAccountStatus),
        ...paging,
      },
      success: StablecoinProviderAccountListResponse,
      error: failures(),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented("listStablecoinProviderAccounts", "List provider accounts", "The linked accounts, newest first."),
      ),
    HttpApiEndpoint.get("getStablecoinProviderAccount", "/stablecoin-provider-accounts/:stablecoinProviderAccountId", {
      params: { stablecoinProviderAccountId: pathId("provider account") },
      success: StablecoinProviderAccountResource,
      error: failures(404),
    })
      .annotate(Access, { ...view, isForConsole: true })
      .annotateMerge(documented("getStablecoinProviderAccount", "Get a provider account", "One linked account.")),
    HttpApiEndpoint.post("registerStablecoin", "/stablecoins", {
      headers: requiredIdempotencyKey,
      payload: StablecoinRegisterRequest,
      success: created(StablecoinResource),
      error: failures(404, 409),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "registerStablecoin",
          "Register a stablecoin",
          "Registers a token that the provider has created. Without `stablecoinProviderAccountId` the only `ACTIVE` provider account is used. A token is registered once; one whose issuance was rejected or failed may be registered again.",
        ),
      ),
    HttpApiEndpoint.get("listStablecoins", "/stablecoins", {
      query: {
        issuanceStatus: Schema.optionalKey(StablecoinIssuanceStatus),
        serviceOperationsStatus: Schema.optionalKey(StablecoinServiceOperationsStatus),
        provider: Schema.optionalKey(StablecoinProviderName),
        ...paging,
      },
      success: StablecoinListResponse,
      error: failures(),
    })
      .annotate(Access, view)
      .annotateMerge(documented("listStablecoins", "List stablecoins", "The registered stablecoins, newest first.")),
    HttpApiEndpoint.get("getStablecoin", "/stablecoins/:stablecoinId", {
      params,
      success: StablecoinResource,
      error: failures(404),
    })
      .annotate(Access, { ...view, isForConsole: true })
      .annotateMerge(documented("getStablecoin", "Get a stablecoin", "One registered stablecoin.")),
    HttpApiEndpoint.post("createStablecoinMint", "/stablecoins/:stablecoinId/mints", {
      params,
      headers: requiredIdempotencyKey,
      payload: StablecoinMintRequest,
      success: createdOperation,
      error: failures(404, 409),
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "createStablecoinMint",
          "Mint a stablecoin",
          "Has the provider create tokens and send them to a wallet. A `WIRE` waits for the money for 7 days, as `fundingInstructions` say; a debit is `PENDING_PROVIDER`. The platform polls for the outcome: no event reports it. After a 503 nothing is stored under the key: repeat the request with it.",
        ),
      ),
    HttpApiEndpoint.post("createStablecoinBurn", "/stablecoins/:stablecoinId/burns", {
      params,
      headers: requiredIdempotencyKey,
      payload: StablecoinBurnRequest,
      success: createdOperation,
      error: failures(404, 409),
    })
      .annotate(Access, transact)
      .annotateMerge(
        documented(
          "createStablecoinBurn",
          "Burn a stablecoin",
          "Has the provider redeem tokens and pay their value to a bank account. With the source `EXTERNAL_ACCOUNT` it waits for the tokens for 7 days, as `fundingInstructions` say. The platform polls for the outcome. After a 503 nothing is stored under the key: repeat the request with it.",
        ),
      ),
    HttpApiEndpoint.get("listStablecoinOperations", "/stablecoins/:stablecoinId/operations", {
      params,
      query: { operationType: Schema.optionalKey(StablecoinOperationType), ...paging },
      success: StablecoinOperationListResponse,
      error: failures(404),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "listStablecoinOperations",
          "List mints and burns",
          "The mints and burns of a stablecoin, newest first.",
        ),
      ),
    HttpApiEndpoint.get("getStablecoinOperation", "/stablecoin-operations/:stablecoinOperationId", {
      params: { stablecoinOperationId: pathId("operation") },
      success: StablecoinOperationResource,
      error: failures(404),
    })
      .annotate(Access, { ...view, isForConsole: true })
      .annotateMerge(documented("getStablecoinOperation", "Get a mint or burn", "One mint or burn.")),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({
      title: "Stablecoins",
      description: "Tokens that a provider issues for a platform. The provider holds the money and controls the token.",
    }),
  )
