/**
 * External accounts of customers and of the platform, and the banks and exchanges that they may name.
 * Spec: 4.3; wire contract 2.1, 2.6 and 2.8; wire contract areas 1.7.
 */
import {
  CurrencyCode,
  DiscoveryListResponse,
  ExternalAccountCreateRequest,
  ExternalAccountListResponse,
  ExternalAccountResource,
  Matching,
  OwnershipChallengeRequest,
  OwnershipChallengeResource,
  OwnershipVerifyRequest,
  PlatformExternalAccountCreateRequest,
  VaspListResponse,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { idFilter, paging, pathId } from "./Parameters.ts"
import { created } from "./Statuses.ts"

const params = { externalAccountId: pathId("external account") }
const filters = {
  currency: Schema.optionalKey(CurrencyCode),
}
const view = { tokenPermission: "VIEW" } as const
const manage = { tokenPermission: "MANAGE" } as const

const createdResource = created(ExternalAccountResource)
const challenged = created(OwnershipChallengeResource)

const addDescription =
  "A bank account, mobile-money account or wallet outside the service. `accountInfo` depends on its `accountType`; `currency` is the currency of the destination. 409 if the same account exists."
const deleteDescription =
  "The account responds with 404 afterwards, and its personal data is erased. Running transactions continue."
const deleteOfCustomerDescription = `${deleteDescription} 409 \`BENEFICIARY_TRUSTED\` while the customer trusts it.`
const challengeDescription =
  "For the owner's own self-custody wallet under ownership rules. A new challenge replaces an open one and makes an `UNVERIFIED` account pending again. 409 if there is nothing to verify."
const verifyDescription =
  "A valid proof makes the account `ACTIVE`. An invalid or late one is a 400 and makes it `UNVERIFIED`. 409 if no signature challenge is open."

/** A filter by a code. An unknown code matches nothing. */
const code = (pattern: RegExp, expected: string, description: string) =>
  Schema.optionalKey(Matching("code", pattern, expected).annotate({ description }))

const discoveryFilters = {
  country: code(/^[A-Z]{2}$/u, "an ISO 3166-1 alpha-2 country code, such as PH", "Only banks of this country."),
  currency: code(/^[A-Z0-9]{3,5}$/u, "a currency code in upper case, such as PHP", "Only banks of this currency."),
}

export const ExternalAccountsApi = HttpApiGroup.make("externalAccounts")
  .add(
    HttpApiEndpoint.get("getDiscoveries", "/discoveries", {
      query: discoveryFilters,
      success: DiscoveryListResponse,
      error: failures(),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "getDiscoveries",
          "Discover banks",
          "The banks and operators whose `bankName` an external account may name. PHP, NGN and ZAR accounts take one of these names exactly; all others take free text.",
        ),
      ),
    HttpApiEndpoint.get("listVasps", "/vasps", {
      query: paging,
      success: VaspListResponse,
      error: failures(),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "listVasps",
          "List exchanges",
          "The exchanges whose `vaspName` a wallet may name as its custodian, by name. Such a wallet needs no proof of ownership.",
        ),
      ),
    HttpApiEndpoint.get("listCustomerExternalAccounts", "/customers/external-accounts", {
      query: { ...filters, customerId: idFilter("Customer"), ...paging },
      success: ExternalAccountListResponse,
      error: failures(),
    })
      .annotate(Access, { ...view, isForConsole: true })
      .annotateMerge(
        documented(
          "listCustomerExternalAccounts",
          "List external accounts",
          "The accounts of customers, newest first.",
        ),
      ),
    HttpApiEndpoint.post("createCustomerExternalAccount", "/customers/external-accounts", {
      payload: ExternalAccountCreateRequest,
      success: createdResource,
      error: failures(409),
    })
      .annotate(Access, manage)
      .annotateMerge(documented("createCustomerExternalAccount", "Add an external account", addDescription)),
    HttpApiEndpoint.get("getCustomerExternalAccountById", "/customers/external-accounts/:externalAccountId", {
      params,
      success: ExternalAccountResource,
      error: failures(404),
    })
      .annotate(Access, { ...view, isForConsole: true })
      .annotateMerge(
        documented("getCustomerExternalAccountById", "Get an external account", "One external account of a customer."),
      ),
    HttpApiEndpoint.delete("deleteCustomerExternalAccountById", "/customers/external-accounts/:externalAccountId", {
      params,
      success: HttpApiSchema.NoContent,
      error: failures(404, 409),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented("deleteCustomerExternalAccountById", "Delete an external account", deleteOfCustomerDescription),
      ),
    HttpApiEndpoint.post(
      "createExternalAccountOwnershipChallenge",
      "/customers/external-accounts/:externalAccountId/challenge",
      {
        params,
        payload: OwnershipChallengeRequest,
        success: challenged,
        error: failures(404, 409),
      },
    )
      .annotate(Access, manage)
      .annotateMerge(
        documented("createExternalAccountOwnershipChallenge", "Challenge a wallet's owner", challengeDescription),
      ),
    HttpApiEndpoint.post("verifyExternalAccountOwnership", "/customers/external-accounts/:externalAccountId/verify", {
      params,
      payload: OwnershipVerifyRequest,
      success: ExternalAccountResource,
      error: failures(404, 409),
    })
      .annotate(Access, manage)
      .annotateMerge(documented("verifyExternalAccountOwnership", "Verify a wallet's owner", verifyDescription)),
    HttpApiEndpoint.get("listPlatformExternalAccounts", "/platform/external-accounts", {
      query: { ...filters, ...paging },
      success: ExternalAccountListResponse,
      error: failures(),
    })
      .annotate(Access, view)
      .annotateMerge(
        documented(
          "listPlatformExternalAccounts",
          "List the platform's external accounts",
          "The accounts of the platform itself, newest first.",
        ),
      ),
    HttpApiEndpoint.post("createPlatformExternalAccount", "/platform/external-accounts", {
      payload: PlatformExternalAccountCreateRequest,
      success: createdResource,
      error: failures(409),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented("createPlatformExternalAccount", "Add an external account of the platform", addDescription),
      ),
    HttpApiEndpoint.get("getPlatformExternalAccountById", "/platform/external-accounts/:externalAccountId", {
      params,
      success: ExternalAccountResource,
      error: failures(404),
    })
      .annotate(Access, { ...view, isForConsole: true })
      .annotateMerge(
        documented(
          "getPlatformExternalAccountById",
          "Get an external account of the platform",
          "One external account of the platform.",
        ),
      ),
    HttpApiEndpoint.delete("deletePlatformExternalAccountById", "/platform/external-accounts/:externalAccountId", {
      params,
      success: HttpApiSchema.NoContent,
      error: failures(404),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "deletePlatformExternalAccountById",
          "Delete an external account of the platform",
          deleteDescription,
        ),
      ),
    HttpApiEndpoint.post(
      "createPlatformExternalAccountOwnershipChallenge",
      "/platform/external-accounts/:externalAccountId/challenge",
      {
        params,
        payload: OwnershipChallengeRequest,
        success: challenged,
        error: failures(404, 409),
      },
    )
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "createPlatformExternalAccountOwnershipChallenge",
          "Challenge the owner of the platform's wallet",
          challengeDescription,
        ),
      ),
    HttpApiEndpoint.post(
      "verifyPlatformExternalAccountOwnership",
      "/platform/external-accounts/:externalAccountId/verify",
      {
        params,
        payload: OwnershipVerifyRequest,
        success: ExternalAccountResource,
        error: failures(404, 409),
      },
    )
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "verifyPlatformExternalAccountOwnership",
          "Verify the owner of the platform's wallet",
          verifyDescription,
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({
      title: "External accounts",
      description: "Bank accounts, mobile-money accounts and wallets outside the service.",
    }),
  )
