/**
 * Customers and their internal accounts.
 * Source: wire contract 5.8, 5.9 and 5.11.
 */
import { CustomerCreateRequest, CustomerResource, InternalAccountListResponse } from "@countersign/core/models"
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
  .annotateMerge(OpenApi.annotations({ title: "Customers", description: "Customers and their internal accounts." }))
