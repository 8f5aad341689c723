/**
 * Customers and their accounts.
 * Spec: 4.3; wire contract 2.1, 5.8, 5.9 and 5.11.
 */
import {
  CustomerCreateRequest,
  CustomerResource,
  ExternalAccountCreateRequest,
  ExternalAccountResource,
  InternalAccountListResponse,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { accountFilters, idFilter, paging, pathId } from "./Parameters.ts"

export const CustomersApi = HttpApiGroup.make("customers")
  .add(
    HttpApiEndpoint.post("createCustomer", "/customers", {
      payload: CustomerCreateRequest,
      success: CustomerResource.pipe(HttpApiSchema.status(201)),
      error: failures(400, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "createCustomer",
          "Create a customer",
          "A person or a business. `platformCustomerId` and `umaAddress` are generated when omitted. One internal account per currency of the platform is opened with the customer.",
        ),
      ),
    HttpApiEndpoint.get("listInternalAccounts", "/customers/internal-accounts", {
      query: { ...accountFilters, customerId: idFilter("Customer"), ...paging },
      success: InternalAccountListResponse,
      error: failures(400),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented(
          "listCustomerInternalAccounts",
          "List internal accounts",
          "The accounts that customers hold at the service, with their balances, newest first.",
        ),
      ),
    HttpApiEndpoint.post("createExternalAccount", "/customers/external-accounts", {
      payload: ExternalAccountCreateRequest,
      success: ExternalAccountResource.pipe(HttpApiSchema.status(201)),
      error: failures(400, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "createCustomerExternalAccount",
          "Add an external account",
          "A bank account or wallet outside the service. `accountInfo` depends on its `accountType`; `currency` is what the destination holds.",
        ),
      ),
    HttpApiEndpoint.get("getExternalAccount", "/customers/external-accounts/:externalAccountId", {
      params: { externalAccountId: pathId("external account") },
      success: ExternalAccountResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented("getCustomerExternalAccount", "Get an external account", "One external account of a customer."),
      ),
    HttpApiEndpoint.get("getCustomer", "/customers/:customerId", {
      params: { customerId: pathId("customer") },
      success: CustomerResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented("getCustomer", "Get a customer", "One customer, with the status of its KYC or KYB check."),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Customers", description: "Customers and their accounts." }))
