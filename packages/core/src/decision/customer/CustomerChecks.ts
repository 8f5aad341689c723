/**
 * What the provider of customer checks learns of a customer at its creation and update.
 * Source: wire contract 5.11; D-080.
 */
import { Redacted } from "effect"
import type { CustomerCreateRequest, CustomerUpdateRequest } from "../../model/customer/CustomerRequest.ts"
import type { CustomerCheck } from "../../ports/Verifier.ts"
import type { Stored } from "../../store/ChangeSet.ts"

/** Returns what the provider learns of a customer, including the number of an authority, which is stored only masked. */
export const checkOf = (customerId: string, request: CustomerCreateRequest | CustomerUpdateRequest): CustomerCheck => {
  if (request.customerType === "BUSINESS") {
    const { registrationNumber, taxId } = request.businessInfo ?? {}
    return {
      customerId,
      customerType: "BUSINESS",
      ...(taxId === undefined ? {} : { identifier: Redacted.make(taxId) }),
      ...(registrationNumber === undefined ? {} : { registrationNumber }),
    }
  }
  const { fullName, identifier } = request
  return {
    customerId,
    customerType: "INDIVIDUAL",
    ...(fullName === undefined ? {} : { fullName }),
    ...(identifier === undefined ? {} : { identifier: Redacted.make(identifier) }),
  }
}

/** Whether an update has a number that is new to the provider. The mask of the stored number is not new. */
export const hasNewNumber = ({ data }: Stored<"Customer">, request: CustomerUpdateRequest): boolean => {
  if (request.customerType !== data.customerType) return false
  if (request.customerType === "INDIVIDUAL") return request.identifier !== undefined
  const taxId = request.businessInfo?.taxId
  return taxId !== undefined && taxId !== data.businessInfo?.taxId
}
