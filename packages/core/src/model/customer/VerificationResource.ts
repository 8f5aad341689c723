/**
 * Verifications on the wire.
 * Source: wire contract 5.12.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { iso, Timestamp } from "../../foundation/kit/Instant.ts"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import type { RecordOf } from "../record/Record.ts"
import type { Verification } from "./Verification.ts"
import { VerificationError, VerificationStatus } from "./Verification.ts"

/** Body of `POST /verifications`: the customer who is submitted, again after the listed errors are corrected. */
export const VerificationRequest = Schema.Struct({ customerId: Id("Customer") }).annotate({
  identifier: "VerificationRequest",
})

export const VerificationResource = Schema.Struct({
  id: Id("Verification"),
  customerId: Id("Customer"),
  verificationStatus: VerificationStatus,
  errors: Schema.Array(VerificationError).annotate({ description: "What has to be mended before it is sent again." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "Verification" })
export type VerificationResource = typeof VerificationResource.Type

/** A page of verifications, newest first. */
export const VerificationListResponse = PageOf(VerificationResource, "VerificationListResponse")

export const toVerification = ({
  createdAt,
  customerId,
  data,
  id,
  updatedAt,
}: RecordOf<"Verification", Verification>): VerificationResource => ({
  id,
  customerId: customerId ?? "",
  verificationStatus: data.verificationStatus,
  errors: data.errors,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
