/**
 * Requests and answers of beneficiary trust on the wire.
 * Source: wire contract areas 1.3.2 and 1.3.4.
 */
import { Schema } from "effect"
import * as CrossField from "../../foundation/kit/CrossField.ts"
import { atMost, FreeObject } from "../../foundation/kit/Lengths.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { Text } from "../../foundation/kit/Text.ts"
import { ScaChallengeResource } from "./ScaChallengeResource.ts"

const optionalNullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const isPresent = (value: unknown): boolean => value !== undefined && value !== null

/** Answer of `POST …/external-accounts/{externalAccountId}/trust` and `…/untrust`. */
export const BeneficiaryTrustStart = Schema.Struct({
  scaChallenge: Schema.optionalKey(
    ScaChallengeResource.pipe(
      Schema.annotateKey({ description: "The challenge of the confirmation. Absent: none was issued." }),
    ),
  ),
}).annotate({ identifier: "BeneficiaryTrustStart" })
export type BeneficiaryTrustStart = typeof BeneficiaryTrustStart.Type

/** An account that already is what is asked for needs no proof, so that the decision refuses a request without one. */
export const BeneficiaryTrustConfirmRequest = Schema.Struct({
  challengeId: optionalNullable(
    Schema.String.check(atMost("id")).annotate({ description: "`scaChallenge.id`, if a challenge was issued." }),
  ),
  code: optionalNullable(Text(32, "Answers a challenge by SMS_OTP or TOTP.").annotate(secret)),
  passkeyAssertion: optionalNullable(FreeObject.annotate(secret)),
  origin: optionalNullable(Text(255, "One of `passkeyAllowedOrigins`; required with `passkeyAssertion`.")),
})
  .annotate({ examples: [{ challengeId: "ScaChallenge:00000000-0000-4000-8000-000000000001", code: "123456" }] })
  .check(
    CrossField.check(({ code, origin, passkeyAssertion }) => {
      if (isPresent(code) && isPresent(passkeyAssertion)) {
        return [{ path: ["code"], message: "exactly one of code and passkeyAssertion is required" }]
      }
      return isPresent(passkeyAssertion) && !isPresent(origin)
        ? [{ path: ["origin"], message: "is required with passkeyAssertion" }]
        : []
    }),
  )
  .annotate({ identifier: "BeneficiaryTrustConfirmRequest" })
export type BeneficiaryTrustConfirmRequest = typeof BeneficiaryTrustConfirmRequest.Type

/** Answer of `POST …/trust/confirm` and `…/untrust/confirm`: whether the customer trusts the account from now on. */
export const BeneficiaryTrustConfirm = Schema.Struct({ trusted: Schema.Boolean }).annotate({
  identifier: "BeneficiaryTrustConfirm",
})
export type BeneficiaryTrustConfirm = typeof BeneficiaryTrustConfirm.Type
