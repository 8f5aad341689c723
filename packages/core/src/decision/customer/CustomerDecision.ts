/**
 * A customer created or changed, decided. Fields are picked by name: what is not named is not kept.
 * Source: wire contract 5.11; D-080, D-085.
 */
import { Redacted } from "effect"
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { kept, masked } from "../../foundation/kit/Masked.ts"
import type { BusinessInfoPart } from "../../model/customer/BusinessProfile.ts"
import type { ContactVerification, Customer, KycStatus } from "../../model/customer/Customer.ts"
import type { CustomerCreateRequest, CustomerUpdateRequest } from "../../model/customer/CustomerRequest.ts"
import { type CustomerResource, definedMembers, toCustomer } from "../../model/customer/CustomerResource.ts"
import { customerProblems } from "../../model/customer/CustomerRules.ts"
import { individualFields } from "../../model/customer/IndividualProfile.ts"
import type { Claim, Owner } from "../../model/record/Record.ts"
import type { EndUserTerms } from "../../settings/EndUserTerms.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { openAccounts } from "../account/AccountChanges.ts"
import * as Decision from "../Decision.ts"
import { checkEvents } from "./CustomerChanges.ts"

/** What the deployment says of terms and regions. */
export interface CustomerSettings {
  readonly terms: EndUserTerms
  readonly scaRegions: ReadonlyArray<string>
}

const commonNames = [
  "region",
  "currencies",
  "email",
  "phoneNumber",
  "umaAddress",
  "endUserTermsConsent",
  "address",
] as const
const individualNames = Object.keys(individualFields) as ReadonlyArray<keyof typeof individualFields>

const fromClaim = ({ key }: Claim): Refusal =>
  key.startsWith("uma:")
    ? { code: "UMA_ADDRESS_EXISTS", message: "The UMA address is taken.", details: { field: "umaAddress" } }
    : {
        code: "CONFLICT",
        message: "A customer with this platformCustomerId exists.",
        details: { field: "platformCustomerId" },
      }

const businessInfoOf = (sent: BusinessInfoPart, before: BusinessInfoPart | undefined): BusinessInfoPart => ({
  ...before,
  ...sent,
  ...(sent.taxId === undefined ? {} : { taxId: kept(sent.taxId, before?.taxId) }),
})

/** The fields that a request sets, as they are kept. */
const fieldsOf = (request: CustomerCreateRequest | CustomerUpdateRequest, before?: Customer): Partial<Customer> => ({
  ...definedMembers(request, commonNames),
  ...(request.customerType === "INDIVIDUAL"
    ? {
        ...definedMembers(request, individualNames),
        ...(request.identifier === undefined ? {} : { identifier: masked(Redacted.make(request.identifier)) }),
      }
    : request.businessInfo === undefined
      ? {}
      : { businessInfo: businessInfoOf(request.businessInfo, before?.businessInfo) }),
})

/** Contacts are to be confirmed where the customer's region asks for it; a contact that changes is to be confirmed anew. */
const contactsOf = (
  data: Customer,
  before: Customer | undefined,
  { scaRegions }: CustomerSettings,
): ContactVerification | undefined => {
  if (data.region === undefined || !scaRegions.includes(data.region)) return undefined
  const statusOf = (field: "email" | "phoneNumber", was: "PENDING" | "VERIFIED" | undefined) =>
    data[field] === before?.[field] ? (was ?? "PENDING") : "PENDING"
  return {
    ...(data.email === undefined ? {} : { email: statusOf("email", before?.contactVerification?.email) }),
    ...(data.phoneNumber === undefined ? {} : { phone: statusOf("phoneNumber", before?.contactVerification?.phone) }),
  }
}

const withContacts = (data: Customer, before: Customer | undefined, settings: CustomerSettings): Customer => {
  const { contactVerification: _old, ...rest } = data
  const contactVerification = contactsOf(data, before, settings)
  return contactVerification === undefined ? rest : { ...rest, contactVerification }
}

const unknownTerms = (version: string): Refusal => ({
  code: "END_USER_TERMS_VERSION_NOT_FOUND",
  message: "There is no such version of the end user terms.",
  details: { errors: [{ field: "endUserTermsConsent.termsVersion", message: "must be a known version" }], version },
})

const refusalOf = (
  request: CustomerCreateRequest | CustomerUpdateRequest,
  platform: Stored<"Platform">,
  { terms }: CustomerSettings,
  context: Decision.DecisionContext,
  before?: Customer,
): Refusal | undefined => {
  const supported = platform.data.supportedCurrencies.map(({ currencyCode }) => currencyCode)
  const problems = customerProblems(request, supported, before?.customerType)
  if (problems.length > 0) return invalidInput(problems)
  const version = request.endUserTermsConsent?.termsVersion
  if (version !== undefined && ![terms.version, ...terms.earlier].includes(version)) return unknownTerms(terms.version)
  const taken = Decision.takenClaim(context.rejections)
  return taken && fromClaim(taken)
}

/** Customers of an unregulated platform have accounts once they have accepted the terms. */
const mayHaveAccounts = (
  platform: Stored<"Platform">,
  { endUserTermsConsent }: Pick<CustomerCreateRequest, "endUserTermsConsent">,
): boolean => platform.data.isRegulatedFinancialInstitution || endUserTermsConsent !== undefined

export const create =
  (id: string, request: CustomerCreateRequest, checkStatus: KycStatus, settings: CustomerSettings) =>
  (platform: Stored<"Platform">, context: Decision.DecisionContext): Decision.Decision<CustomerResource> => {
    const refused = refusalOf(request, platform, settings, context)
    if (refused !== undefined) return Decision.refuse(refused)
    const { ids, now } = context
    const supported = platform.data.supportedCurrencies.map(({ currencyCode }) => currencyCode)
    const name = id.slice("Customer:".length)
    const data: Customer = withContacts(
      {
        platformCustomerId: request.platformCustomerId ?? name,
        customerType: request.customerType,
        checkStatus,
        umaAddress: `$${name}@${platform.data.umaDomain}`,
        currencies: supported,
        isDeleted: false,
        ...fieldsOf(request),
        ...(mayHaveAccounts(platform, request) ? {} : { awaitsTerms: true as const }),
      },
      undefined,
      settings,
    )
    const owner: Owner = { platformId: platform.id, customerId: id }
    const customer = Changes.insertedRecord("Customer", id, owner, data, now)
    return Decision.answer(
      201,
      toCustomer(customer),
      Changes.combine(
        Changes.insert("Customer", id, owner, data),
        data.awaitsTerms === true ? undefined : openAccounts(ids, owner, supported, { email: data.email }),
        checkEvents(ids, now, null, customer),
        Changes.guard(platform),
      ),
    )
  }

export interface UpdateLoaded {
  readonly customer: Stored<"Customer">
  readonly owners: ReadonlyArray<Stored<"BeneficialOwner">>
  readonly platform: Stored<"Platform">
}

export const update =
  (request: CustomerUpdateRequest, settings: CustomerSettings) =>
  (
    { customer, owners, platform }: UpdateLoaded,
    context: Decision.DecisionContext,
  ): Decision.Decision<CustomerResource> => {
    const refused = refusalOf(request, platform, settings, context, customer.data)
    if (refused !== undefined) return Decision.refuse(refused)
    const { ids, now } = context
    const { awaitsTerms, ...before } = customer.data
    const opens = awaitsTerms === true && mayHaveAccounts(platform, request)
    const still = awaitsTerms === true && !opens ? { awaitsTerms } : {}
    const data = withContacts({ ...before, ...fieldsOf(request, before), ...still }, customer.data, settings)
    const supported = platform.data.supportedCurrencies.map(({ currencyCode }) => currencyCode)
    return Decision.answer(
      200,
      toCustomer(Changes.after(customer, data, now), owners),
      Changes.combine(
        Changes.update(customer, data),
        Changes.guard(platform),
        opens ? openAccounts(ids, customer, supported, { email: data.email }) : undefined,
      ),
    )
  }
