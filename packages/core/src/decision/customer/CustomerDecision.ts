/**
 * Decides the creation and the update of a customer.
 * Spec: 4.5 (`PATCH /customers/{id}`); wire contract 5.11; D-080, D-085.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import type { Customer, KycStatus } from "../../model/customer/Customer.ts"
import type { CustomerCreation, CustomerUpdateRequest } from "../../model/customer/CustomerRequest.ts"
import { type CustomerResource, toCustomer } from "../../model/customer/CustomerResource.ts"
import { customerProblems } from "../../model/customer/CustomerRules.ts"
import { isUmaAddressUnder } from "../../model/customer/UmaAddress.ts"
import { foreignUmaAddress } from "../../model/receiver/UmaRefusals.ts"
import type { Claim, Owner } from "../../model/record/Record.ts"
import type { SignedRequestChallenge, UntypedOperation } from "../../model/wallet/SignedRequest.ts"
import type { EndUserTerms } from "../../settings/EndUserTerms.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { openAccounts } from "../account/AccountChanges.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"
import { type ContactChange, decideContactChange } from "../wallet/ContactChanges.ts"
import { assertNoAddedCredential } from "../wallet/CredentialChanges.ts"
import { decideSigned, type SigningFacts } from "../wallet/SignedDecision.ts"
import { checkEvents } from "./CustomerChanges.ts"
import { customerFields, withContactVerification } from "./CustomerFields.ts"

/** The choices of the deployment about terms and regions. */
export interface CustomerSettings {
  readonly terms: EndUserTerms
  readonly scaRegions: ReadonlyArray<string>
}

const claimRefusal = ({ key }: Claim): Refusal =>
  key.startsWith("uma:")
    ? { code: "UMA_ADDRESS_EXISTS", message: "The UMA address is taken.", details: { field: "umaAddress" } }
    : {
        code: "CONFLICT",
        message: "A customer with this platformCustomerId exists.",
        details: { field: "platformCustomerId" },
      }

const unknownTerms = (version: string): Refusal => ({
  code: "END_USER_TERMS_VERSION_NOT_FOUND",
  message: "There is no such version of the end user terms.",
  details: { errors: [{ field: "endUserTermsConsent.termsVersion", message: "must be a known version" }], version },
})

const currenciesOf = ({ data }: Stored<"Platform">) => data.supportedCurrencies.map(({ currencyCode }) => currencyCode)

const refusalOf = (
  request: CustomerCreation,
  platform: Stored<"Platform">,
  { terms }: CustomerSettings,
  { rejections }: DecisionContext,
  before?: Customer,
): Refusal | undefined => {
  const problems = customerProblems(request, currenciesOf(platform), before?.customerType)
  if (problems.length > 0) return invalidInput(problems)
  const { umaAddress } = request
  const isNewAddress = umaAddress !== undefined && umaAddress !== before?.umaAddress
  if (isNewAddress && !isUmaAddressUnder(umaAddress, platform.data.umaDomain)) {
    return foreignUmaAddress("umaAddress", platform.data.umaDomain)
  }
  const version = request.endUserTermsConsent?.termsVersion
  if (version !== undefined && ![terms.version, ...terms.earlier].includes(version)) return unknownTerms(terms.version)
  const taken = takenClaim(rejections)
  return taken && claimRefusal(taken)
}

/** Whether a customer may have accounts: on an unregulated platform only after it accepts the terms. */
const mayHaveAccounts = (
  platform: Stored<"Platform">,
  { endUserTermsConsent }: Pick<CustomerCreation, "endUserTermsConsent">,
): boolean => platform.data.isRegulatedFinancialInstitution || endUserTermsConsent !== undefined

export interface CreationLoaded {
  readonly platform: Stored<"Platform">
  /** The first status of the customer's check, as the provider reports it. */
  readonly checkStatus: KycStatus
  /** The root of a new wallet's keys. */
  readonly rootId: string | undefined
}

export const createCustomer =
  (id: string, request: CustomerCreation, settings: CustomerSettings) =>
  ({ checkStatus, platform, rootId }: CreationLoaded, context: DecisionContext): Decision<CustomerResource> => {
    const refusal = refusalOf(request, platform, settings, context)
    if (refusal !== undefined) return refuse(refusal)
    const { ids, now } = context
    const currencies = currenciesOf(platform)
    const name = id.slice("Customer:".length)
    const data: Customer = withContactVerification(
      {
        platformCustomerId: request.platformCustomerId ?? name,
        customerType: request.customerType,
        checkStatus,
        umaAddress: `$${name}@${platform.data.umaDomain}`,
        currencies,
        isDeleted: false,
        ...customerFields(request),
        ...(mayHaveAccounts(platform, request) ? {} : { awaitsTerms: true as const }),
      },
      undefined,
      settings.scaRegions,
    )
    const owner: Owner = { platformId: platform.id, customerId: id }
    const customer = Changes.insertedRecord("Customer", id, owner, data, now)
    return answer(
      201,
      toCustomer(customer),
      Changes.combine(
        Changes.insert("Customer", id, owner, data),
        data.awaitsTerms === true
          ? undefined
          : openAccounts(ids, now, owner, currencies, { email: data.email, rootId }),
        checkEvents(ids, now, null, customer),
        Changes.guard(platform),
      ),
    )
  }

export interface UpdateLoaded {
  readonly customer: Stored<"Customer">
  readonly owners: ReadonlyArray<Stored<"BeneficialOwner">>
  readonly platform: Stored<"Platform">
  /** The root of a new wallet's keys. */
  readonly rootId: string | undefined
  /** The change of a contact that OTP credentials are tied to. Such an update requires a signature. */
  readonly tie: { readonly change: ContactChange; readonly signing: SigningFacts<UntypedOperation> } | undefined
  /** The number of the customer's dependent records, if the update changes a contact that no credential is tied to. */
  readonly dependents: number | undefined
}

const update = (
  request: CustomerUpdateRequest,
  settings: CustomerSettings,
  { customer, dependents, owners, platform, rootId }: UpdateLoaded,
  context: DecisionContext,
): Decision<CustomerResource> => {
  const refusal = refusalOf(request, platform, settings, context, customer.data)
  if (refusal !== undefined) return refuse(refusal)
  const { ids, now } = context
  const { awaitsTerms, ...before } = customer.data
  const opensAccounts = awaitsTerms === true && mayHaveAccounts(platform, request)
  const data = withContactVerification(
    {
      ...before,
      ...customerFields(request, before),
      ...(awaitsTerms === true && !opensAccounts ? { awaitsTerms } : {}),
    },
    customer.data,
    settings.scaRegions,
  )
  return answer(
    200,
    toCustomer(Changes.after(customer, data, now), owners),
    Changes.combine(
      Changes.update(customer, data),
      Changes.guard(platform),
      dependents === undefined ? undefined : assertNoAddedCredential(customer.id, dependents),
      opensAccounts
        ? openAccounts(ids, now, customer, currenciesOf(platform), { email: data.email, rootId })
        : undefined,
    ),
  )
}

/** Updates a customer. If the update changes a tied contact, it decides the signed operation around it. */
export const updateCustomer =
  (request: CustomerUpdateRequest, settings: CustomerSettings) =>
  (loaded: UpdateLoaded, context: DecisionContext): Decision<CustomerResource | SignedRequestChallenge> => {
    const { tie } = loaded
    if (tie === undefined) return update(request, settings, loaded, context)
    const { change, signing } = tie
    const updated = update(request, settings, loaded, context)
    return decideSigned(signing, context, decideContactChange(updated, change, signing.request?.data.memo))
  }
