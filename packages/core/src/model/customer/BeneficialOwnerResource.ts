/**
 * Beneficial owners on the wire.
 * Source: wire contract 5.12; D-080.
 */
import { Schema, Struct } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import type { RecordOf } from "../record/Record.ts"
import {
  BeneficialOwner,
  BeneficialOwnerPersonalInfo,
  BeneficialOwnerRole,
  OwnershipPercentage,
} from "./BeneficialOwner.ts"
import { KycStatus } from "./Customer.ts"

const roles = Schema.Array(BeneficialOwnerRole).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(BeneficialOwnerRole.literals.length).abort(),
  Schema.isUnique(),
)

/** Body of `POST /beneficial-owners`: a person, and the person's roles in a business customer. */
export const BeneficialOwnerCreateRequest = Schema.Struct({
  customerId: Id("Customer"),
  roles,
  ownershipPercentage: OwnershipPercentage,
  personalInfo: BeneficialOwnerPersonalInfo,
}).annotate({ identifier: "BeneficialOwnerCreateRequest" })
export type BeneficialOwnerCreateRequest = typeof BeneficialOwnerCreateRequest.Type

/** Body of `PATCH /beneficial-owners/{beneficialOwnerId}`. Omitted fields keep their value, members of `personalInfo` too. */
export const BeneficialOwnerUpdateRequest = Schema.Struct({
  roles: Schema.optionalKey(roles),
  ownershipPercentage: Schema.optionalKey(OwnershipPercentage),
  personalInfo: Schema.optionalKey(
    Schema.Struct(Struct.map(BeneficialOwnerPersonalInfo.fields, Schema.optionalKey)).annotate({
      identifier: "BeneficialOwnerPersonalInfoPart",
    }),
  ),
}).annotate({ identifier: "BeneficialOwnerUpdateRequest" })
export type BeneficialOwnerUpdateRequest = typeof BeneficialOwnerUpdateRequest.Type

export const BeneficialOwnerResource = Schema.Struct({
  id: Id("BeneficialOwner"),
  customerId: Id("Customer"),
  roles: Schema.Array(BeneficialOwnerRole),
  ownershipPercentage: OwnershipPercentage,
  personalInfo: BeneficialOwner.fields.personalInfo,
  kycStatus: KycStatus,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "BeneficialOwner" })
export type BeneficialOwnerResource = typeof BeneficialOwnerResource.Type

/** A page of the owners of one business customer, newest first. */
export const BeneficialOwnerListResponse = PageOf(BeneficialOwnerResource, "BeneficialOwnerListResponse")

export const toBeneficialOwner = ({
  createdAt,
  customerId,
  data,
  id,
  updatedAt,
}: RecordOf<"BeneficialOwner", BeneficialOwner>): BeneficialOwnerResource => ({
  id,
  customerId: customerId ?? "",
  roles: data.roles,
  ownershipPercentage: data.ownershipPercentage,
  personalInfo: data.personalInfo,
  kycStatus: data.kycStatus,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
