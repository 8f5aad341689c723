/**
 * Internal accounts of the platform and of customers, and the operations on embedded wallets.
 * Spec: 4.5 (export, update wallet privacy); wire contract 4.10, 5.8 and 5.9.
 */
import {
  InternalAccountListResponse,
  InternalAccountResource,
  InternalAccountUpdateRequest,
  PlatformInternalAccountListResponse,
  SignedRequestChallenge,
  WalletExportRequest,
  WalletExportResponse,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented, extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { accountFilters, idFilter, paging, pathId, signedRetry } from "./Parameters.ts"
import { accepted } from "./Statuses.ts"

export const AccountsApi = HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.get("listPlatformInternalAccounts", "/platform/internal-accounts", {
      query: accountFilters,
      success: PlatformInternalAccountListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented(
          "listPlatformInternalAccounts",
          "List the platform's internal accounts",
          "One account per currency of the platform, without pages.",
        ),
      ),
    HttpApiEndpoint.get("listInternalAccounts", "/internal-accounts", {
      query: { ...accountFilters, customerId: idFilter("Customer"), ...paging },
      success: InternalAccountListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        extension(
          "listInternalAccounts",
          "List internal accounts (alias)",
          "The accounts of customers. Same as /customers/internal-accounts.",
        ),
      ),
    HttpApiEndpoint.get("getInternalAccount", "/internal-accounts/:id", {
      params: { id: pathId("internal account") },
      success: InternalAccountResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension("getInternalAccount", "Get an internal account", "One account, of a customer or of the platform."),
      ),
    HttpApiEndpoint.patch("updateInternalAccount", "/internal-accounts/:id", {
      params: { id: pathId("embedded wallet") },
      headers: signedRetry,
      payload: InternalAccountUpdateRequest,
      success: [InternalAccountResource, accepted(SignedRequestChallenge)],
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "updateInternalAccount",
          "Update a wallet's privacy",
          "Any session of the wallet signs the request: 202 first, then 200. Accounts of other types respond with 404.",
        ),
      ),
    HttpApiEndpoint.post("exportInternalAccount", "/internal-accounts/:id/export", {
      params: { id: pathId("embedded wallet") },
      headers: signedRetry,
      payload: WalletExportRequest,
      success: [WalletExportResponse, accepted(SignedRequestChallenge)],
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "exportInternalAccount",
          "Export a wallet",
          "Returns the BIP-39 words, sealed to `clientPublicKey`, which is the same in both calls. Any session of the wallet signs the request: 202 first, then 200.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Internal accounts", description: "Accounts held at the service." }))
