/**
 * Decides the creation and update of beneficial owners. The customer record lists its owners, so that each new owner updates it.
 * Spec: 4.6 (beneficial owner KYC); wire contract 5.8, 5.12 and 7.6; D-083.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { maskToStore } from "../../foundation/kit/Masked.ts"
import type { BeneficialOwner } from "../../model/customer/BeneficialOwner.ts"
import {
  type BeneficialOwnerResource,
  type BeneficialOwnerUpdateRequest,
  toBeneficialOwner,
} from "../../model/customer/BeneficialOwnerResource.ts"
import { OwnerKycMachine } from "../../model/customer/CheckMachine.ts"
import { type Customer, isDecided, type KycStatus } from "../../model/customer/Customer.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"

/** Maximum number of owners, because each response and event of the customer shows all of them. */
const ownersMax = 100

const customerRefusal = ({ beneficialOwnerIds = [], customerType }: Customer): Refusal | undefined => {
  if (customerType !== "BUSINESS") {
    return invalidInput([{ field: "customerId", message: "must be a business customer" }])
  }
  return beneficialOwnerIds.length >= ownersMax
    ? invalidInput([{ field: "customerId", message: `must have fewer than ${ownersMax} owners` }])
    : undefined
}

export interface OwnerCreationLoaded {
  readonly customer: Stored<"Customer">
  /** The status of the owner, as the provider reports it. */
  readonly status: KycStatus
}

/** Inserts an owner. It is checked with its business, or at once if the business is decided already. */
export const createOwner =
  (ownerId: string, owner: BeneficialOwner) =>
  ({ customer, status }: OwnerCreationLoaded, { now }: DecisionContext): Decision<BeneficialOwnerResource> => {
    const refusal = customerRefusal(customer.data)
    if (refusal !== undefined) return refuse(refusal)
    const first = isDecided(customer.data.checkStatus) ? status : "UNVERIFIED"
    const data = { ...owner, kycStatus: OwnerKycMachine.followTo(null, first).state }
    const beneficialOwnerIds = [...(customer.data.beneficialOwnerIds ?? []), ownerId]
    return answer(
      201,
      toBeneficialOwner(Changes.insertedRecord("BeneficialOwner", ownerId, customer, data, now)),
      Changes.combine(
        Changes.insert("BeneficialOwner", ownerId, customer, data),
        Changes.update(customer, { ...customer.data, beneficialOwnerIds }),
      ),
    )
  }

/** Returns the owner after an update. A new number of an authority is masked. */
export const updatedOwner = (before: BeneficialOwner, request: BeneficialOwnerUpdateRequest): BeneficialOwner => {
  const { ownershipPercentage, personalInfo: info = {}, roles } = request
  const identifier =
    info.identifier === undefined ? {} : { identifier: maskToStore(info.identifier, before.personalInfo.identifier) }
  return {
    ...before,
    ...(roles === undefined ? {} : { roles }),
    ...(ownershipPercentage === undefined ? {} : { ownershipPercentage }),
    personalInfo: { ...before.personalInfo, ...info, ...identifier },
  }
}

export interface OwnerUpdateLoaded {
  readonly customer: Stored<"Customer">
  readonly owner: Stored<"BeneficialOwner">
}

export const updateOwner =
  (request: BeneficialOwnerUpdateRequest) =>
  ({ customer, owner }: OwnerUpdateLoaded, { now }: DecisionContext): Decision<BeneficialOwnerResource> => {
    const data = updatedOwner(owner.data, request)
    return answer(
      200,
      toBeneficialOwner(Changes.after(owner, data, now)),
      Changes.combine(Changes.update(owner, data), Changes.guard(customer)),
    )
  }
