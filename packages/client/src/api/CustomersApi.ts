/**
 * Customers and their internal accounts.
 * Source: wire contract 5.8, 5.9 and 5.11.
 */
import {
  CurrencyCode,
  CustomerCreateRequest,
  CustomerListResponse,
  CustomerResource,
  CustomerType,
  CustomerUpdateRequest,
  EndUserTermsResource,
  InternalAccountListResponse,
  SignedRequestChallenge,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { accountFilters, exactly, flag, idFilter, paging, pathId, signedRetry, times } from "./Parameters.ts"
import { accepted, created } from "./Statuses.ts"

const customerId = { customerId: pathId("customer") }

export const CustomersApi = HttpApiGroup.make("customers")
  .add(
    HttpApiEndpoint.get("listCustomers", "/customers", {
      query: {
        platformCustomerId: exactly("Only the customer with this id, which the platform chose."),
        customerType: Schema.optionalKey(CustomerType),
        region: exactly("Only customers of this region."),
        currency: Schema.optionalKey(CurrencyCode),
        umaAddress: exactly("Only the customer with this UMA address."),
        ...times,
        isIncludingDeleted: flag("Whether deleted customers are included."),
        ...paging,
      },
      success: CustomerListResponse,
      error: failures(405),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(documented("listCustomers", "List customers", "The customers of the platform, newest first.")),
    HttpApiEndpoint.get("getEndUserTerms", "/customers/end-user-terms", {
      success: EndUserTermsResource,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(documented("getEndUserTerms", "Get the end user terms", "The terms that a customer accepts.")),
    HttpApiEndpoint.post("createCustomer", "/customers", {
      payload: CustomerCreateRequest,
      success: created(CustomerResource),
      error: failures(405, 409, 501),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "createCustomer",
          "Create a customer",
          "A person or a business. `platformCustomerId` and `umaAddress` are generated when omitted. One internal account per currency of the platform is opened with the customer.",
        ),
      ),
    HttpApiEndpoint.get("listCustomerInternalAccounts", "/customers/internal-accounts", {
      query: { ...accountFilters, customerId: idFilter("Customer"), ...paging },
      success: InternalAccountListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        documented(
          "listCustomerInternalAccounts",
          "List internal accounts",
          "The accounts that customers hold at the service, with their balances, newest first.",
        ),
      ),
    HttpApiEndpoint.get("getCustomerById", "/customers/:customerId", {
      params: customerId,
      success: CustomerResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        documented("getCustomerById", "Get a customer", "One customer, with the status of its KYC or KYB check."),
      ),
    HttpApiEndpoint.patch("updateCustomerById", "/customers/:customerId", {
      params: customerId,
      headers: signedRetry,
      payload: CustomerUpdateRequest,
      success: [CustomerResource, accepted(SignedRequestChallenge)],
      error: failures(404, 409, 424),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "updateCustomerById",
          "Update a customer",
          "Omitted fields keep their value; members of `businessInfo` too. `currencies` replaces the list. `email` and `phoneNumber` change one at a time. If an OTP credential depends on the changed contact, a session of one of the customer's wallets signs the request: 202 first, then 200.",
        ),
      ),
    HttpApiEndpoint.delete("deleteCustomerById", "/customers/:customerId", {
      params: customerId,
      success: CustomerResource,
      error: failures(404, 409, 410),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "deleteCustomerById",
          "Delete a customer",
          "409 while the customer has money or open transactions. Otherwise its accounts are closed and its agents removed, too.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Customers", description: "Customers and their internal accounts." }))
