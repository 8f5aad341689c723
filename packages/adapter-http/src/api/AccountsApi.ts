/**
 * Internal accounts of the platform, and any one of them by its id.
 * Source: wire contract 5.8 and 5.9.
 */
import {
  InternalAccountListResponse,
  InternalAccountResource,
  PlatformInternalAccountListResponse,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { accountFilters, idFilter, paging, pathId } from "./Parameters.ts"

export const AccountsApi = HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.get("listPlatformAccounts", "/platform/internal-accounts", {
      query: accountFilters,
      success: PlatformInternalAccountListResponse,
      error: failures(400),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented(
          "listPlatformInternalAccounts",
          "List the platform's internal accounts",
          "One per currency of the platform; all of them at once.",
        ),
      ),
    HttpApiEndpoint.get("listAccounts", "/internal-accounts", {
      query: { ...accountFilters, customerId: idFilter("Customer"), ...paging },
      success: InternalAccountListResponse,
      error: failures(400),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented(
          "listInternalAccounts",
          "List internal accounts (alias)",
          "The accounts of customers. Same as /customers/internal-accounts.",
        ),
      ),
    HttpApiEndpoint.get("getAccount", "/internal-accounts/:accountId", {
      params: { accountId: pathId("internal account") },
      success: InternalAccountResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented("getInternalAccount", "Get an internal account", "One account, of a customer or of the platform."),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Internal accounts", description: "Accounts held at the service." }))
