/**
 * Identity checks of customers: verifications, beneficial owners, the provider's page, and confirmed contacts.
 * Spec: 4.6 (KYB, beneficial owner KYC), Errors, other rules (1); wire contract 5.8 and 5.12.
 */
import {
  BeneficialOwnerCreateRequest,
  BeneficialOwnerListResponse,
  BeneficialOwnerResource,
  BeneficialOwnerUpdateRequest,
  ContactVerificationConfirmRequest,
  CustomerResource,
  Id,
  KycLinkCreateRequest,
  KycLinkResponse,
  VerificationListResponse,
  VerificationRequest,
  VerificationResource,
  VerificationStatus,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { idempotencyKey, idFilter, paging, pathId } from "./Parameters.ts"
import { created } from "./Statuses.ts"

const customerId = { customerId: pathId("customer") }
const ownerId = { beneficialOwnerId: pathId("beneficial owner") }

const sending = (contact: string, name: string) =>
  documented(
    `sendCustomer${name}Verification`,
    `Send a code to a customer's ${contact}`,
    "409 if the customer's region does not require it, if the customer has no such contact, or if it is confirmed.",
  )
const confirming = (contact: string, name: string) =>
  documented(
    `confirmCustomer${name}Verification`,
    `Confirm a customer's ${contact}`,
    "Confirms the contact with the code that the customer received. 409 as for sending the code; 429 after too many wrong codes in a day.",
  )

export const OnboardingApi = HttpApiGroup.make("onboarding")
  .add(
    HttpApiEndpoint.get("listVerifications", "/verifications", {
      query: {
        customerId: idFilter("Customer"),
        verificationStatus: Schema.optionalKey(VerificationStatus),
        ...paging,
      },
      success: VerificationListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented(
          "listVerifications",
          "List verifications",
          "The verifications of the platform's customers, newest first.",
        ),
      ),
    HttpApiEndpoint.post("createVerification", "/verifications", {
      payload: VerificationRequest,
      success: VerificationResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "createVerification",
          "Submit a customer for verification",
          "Submit again after correcting the listed `errors`: the open verification continues. 400 if the customer is approved or rejected.",
        ),
      ),
    HttpApiEndpoint.get("getVerification", "/verifications/:verificationId", {
      params: { verificationId: pathId("verification") },
      success: VerificationResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        documented("getVerification", "Get a verification", "One verification, with the problems to correct."),
      ),
    HttpApiEndpoint.get("listBeneficialOwners", "/beneficial-owners", {
      query: { customerId: Id("Customer"), ...paging },
      success: BeneficialOwnerListResponse,
      error: failures(),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented("listBeneficialOwners", "List beneficial owners", "The owners of one business customer."),
      ),
    HttpApiEndpoint.post("createBeneficialOwner", "/beneficial-owners", {
      payload: BeneficialOwnerCreateRequest,
      success: created(BeneficialOwnerResource),
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "createBeneficialOwner",
          "Add a beneficial owner",
          "A person who owns or controls a business customer.",
        ),
      ),
    HttpApiEndpoint.get("getBeneficialOwner", "/beneficial-owners/:beneficialOwnerId", {
      params: ownerId,
      success: BeneficialOwnerResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        documented("getBeneficialOwner", "Get a beneficial owner", "One owner, with the status of the check."),
      ),
    HttpApiEndpoint.patch("updateBeneficialOwner", "/beneficial-owners/:beneficialOwnerId", {
      params: ownerId,
      payload: BeneficialOwnerUpdateRequest,
      success: BeneficialOwnerResource,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(
        documented(
          "updateBeneficialOwner",
          "Update a beneficial owner",
          "Omitted fields keep their value; members of `personalInfo` too.",
        ),
      ),
    HttpApiEndpoint.post("createCustomerKycLink", "/customers/:customerId/kyc-link", {
      params: customerId,
      headers: idempotencyKey,
      payload: KycLinkCreateRequest,
      success: created(KycLinkResponse),
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE", isIdempotent: true })
      .annotateMerge(
        documented(
          "createCustomerKycLink",
          "Create a link to the provider's page",
          "The customer completes the check on that page. The body is optional. 409 while a contact is not confirmed.",
        ),
      ),
    HttpApiEndpoint.post("sendCustomerEmailVerification", "/customers/:customerId/verify-email", {
      params: customerId,
      success: HttpApiSchema.NoContent,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(sending("e-mail address", "Email")),
    HttpApiEndpoint.post("confirmCustomerEmailVerification", "/customers/:customerId/verify-email/confirm", {
      params: customerId,
      payload: ContactVerificationConfirmRequest,
      success: CustomerResource,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(confirming("e-mail address", "Email")),
    HttpApiEndpoint.post("sendCustomerPhoneVerification", "/customers/:customerId/verify-phone", {
      params: customerId,
      success: HttpApiSchema.NoContent,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(sending("telephone number", "Phone")),
    HttpApiEndpoint.post("confirmCustomerPhoneVerification", "/customers/:customerId/verify-phone/confirm", {
      params: customerId,
      payload: ContactVerificationConfirmRequest,
      success: CustomerResource,
      error: failures(404, 409),
    })
      .annotate(Access, { tokenPermission: "MANAGE" })
      .annotateMerge(confirming("telephone number", "Phone")),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Onboarding", description: "Identity checks of customers." }))
