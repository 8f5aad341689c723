/**
 * Wire resources and requests of strong customer authentication.
 * Source: wire contract 5.12 and B; wire contract areas 2.2.
 */
import { Schema } from "effect"
import * as CrossField from "../../foundation/kit/CrossField.ts"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { atMost, FreeObject, Matching } from "../../foundation/kit/Lengths.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { Text } from "../../foundation/kit/Text.ts"
import { ScaFactor, TwoFactorResetState } from "./ScaProfile.ts"

const anyObject = Schema.Record(Schema.String, Schema.Json)
const optionalNullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const ScaFactorView = Schema.Struct({
  factor: ScaFactor,
  credentialId: Schema.optionalKey(Schema.String.annotate({ description: "Only of a passkey." })),
  name: Schema.optionalKey(Schema.String),
}).annotate({ identifier: "ScaFactorView" })
export type ScaFactorView = typeof ScaFactorView.Type

export const ScaFactorList = Schema.Struct({ factors: Schema.Array(ScaFactorView) }).annotate({
  identifier: "ScaFactorList",
})

export const EnrollableFactor = Schema.Literals(["TOTP", "PASSKEY"])
export type EnrollableFactor = typeof EnrollableFactor.Type

export const ScaFactorEnrollRequest = Schema.Struct({ type: EnrollableFactor }).annotate({
  identifier: "ScaFactorEnrollRequest",
})

const TotpEnrollmentStart = Schema.Struct({
  type: Schema.Literal("TOTP"),
  secret: Schema.String.annotate(secret),
  secretBase32Encoded: Schema.String.annotate(secret),
  totpUri: Schema.String.annotate(secret),
}).annotate({ identifier: "TotpEnrollmentStart" })
const PasskeyEnrollmentStart = Schema.Struct({
  type: Schema.Literal("PASSKEY"),
  options: anyObject,
  allowedOrigins: Schema.Array(Schema.String),
  relyingPartyId: Schema.String,
}).annotate({ identifier: "PasskeyEnrollmentStart" })
export const ScaFactorEnrollStart = Schema.Union([TotpEnrollmentStart, PasskeyEnrollmentStart]).annotate({
  identifier: "ScaFactorEnrollStart",
})
export type ScaFactorEnrollStart = typeof ScaFactorEnrollStart.Type

const TotpEnrollmentConfirmRequest = Schema.Struct({
  type: Schema.Literal("TOTP"),
  secret: Text(255).annotate(secret),
  code: Text(32).annotate(secret),
}).annotate({ identifier: "TotpEnrollmentConfirmRequest" })
const PasskeyEnrollmentConfirmRequest = Schema.Struct({
  type: Schema.Literal("PASSKEY"),
  origin: Text(255),
  credential: FreeObject.annotate(secret),
}).annotate({ identifier: "PasskeyEnrollmentConfirmRequest" })
export const ScaFactorConfirmRequest = Schema.Union([
  TotpEnrollmentConfirmRequest,
  PasskeyEnrollmentConfirmRequest,
]).annotate({ identifier: "ScaFactorConfirmRequest" })
export type ScaFactorConfirmRequest = typeof ScaFactorConfirmRequest.Type

const TotpEnrollmentConfirmResponse = Schema.Struct({
  type: Schema.Literal("TOTP"),
  recoveryCodes: Schema.Array(Schema.String).annotate(secret),
}).annotate({ identifier: "TotpEnrollmentConfirmResponse" })
const PasskeyEnrollmentConfirmResponse = Schema.Struct({
  type: Schema.Literal("PASSKEY"),
  factor: ScaFactorView,
}).annotate({ identifier: "PasskeyEnrollmentConfirmResponse" })
export const ScaFactorConfirmResponse = Schema.Union([
  TotpEnrollmentConfirmResponse,
  PasskeyEnrollmentConfirmResponse,
]).annotate({ identifier: "ScaFactorConfirmResponse" })
export type ScaFactorConfirmResponse = typeof ScaFactorConfirmResponse.Type

export const ScaLoginStartRequest = Schema.Struct({ factor: ScaFactor }).annotate({
  identifier: "ScaLoginStartRequest",
})

export const ScaLoginStart = Schema.Struct({
  factor: ScaFactor,
  challengeId: optionalNullable(Schema.String),
  expiresAt: optionalNullable(Timestamp),
  passkeyOptions: optionalNullable(anyObject),
  allowedOrigins: optionalNullable(Schema.Array(Schema.String)),
  relyingPartyId: optionalNullable(Schema.String),
}).annotate({ identifier: "ScaLoginStart" })
export type ScaLoginStart = typeof ScaLoginStart.Type

const isPresent = (value: unknown): boolean => value !== undefined && value !== null

export const ScaLoginCompleteRequest = Schema.Struct({
  factor: ScaFactor,
  endUserIpAddress: Text(45),
  challengeId: optionalNullable(Schema.String.check(atMost("id"))),
  code: optionalNullable(Text(32).annotate(secret)),
  passkeyAssertion: optionalNullable(FreeObject.annotate(secret)),
  origin: optionalNullable(Text(255)),
})
  .annotate({ examples: [{ factor: "SMS_OTP", endUserIpAddress: "203.0.113.7", code: "123456" }] })
  .check(
    CrossField.check(({ code, factor, origin, passkeyAssertion }) =>
      factor === "PASSKEY"
        ? [
            ...(isPresent(passkeyAssertion)
              ? []
              : [{ path: ["passkeyAssertion"], message: "is required for PASSKEY" }]),
            ...(isPresent(origin) ? [] : [{ path: ["origin"], message: "is required for PASSKEY" }]),
          ]
        : isPresent(code)
          ? []
          : [{ path: ["code"], message: "is required" }],
    ),
  )
  .annotate({ identifier: "ScaLoginCompleteRequest" })
export type ScaLoginCompleteRequest = typeof ScaLoginCompleteRequest.Type

export const ScaLoginComplete = Schema.Struct({
  status: Schema.String,
  sessionExpiresAt: optionalNullable(Timestamp),
}).annotate({
  identifier: "ScaLoginComplete",
})
export type ScaLoginComplete = typeof ScaLoginComplete.Type

export const SecurityEventType = Schema.Literals(["RESET_PASSWORD_COMPLETED", "FAILED_LOGIN_ATTEMPT"])
export type SecurityEventType = typeof SecurityEventType.Type

export const RecordSecurityEventRequest = Schema.Struct({ eventType: SecurityEventType }).annotate({
  identifier: "RecordSecurityEventRequest",
})

export const RecordSecurityEventResponse = Schema.Struct({
  eventType: SecurityEventType,
  suspended: Schema.Boolean,
  lockedUntil: optionalNullable(Timestamp),
  failedAttempts: Schema.Int,
}).annotate({ identifier: "RecordSecurityEventResponse" })
export type RecordSecurityEventResponse = typeof RecordSecurityEventResponse.Type

export const TwoFactorResetStartRequest = Schema.Struct({ factor: ScaFactor }).annotate({
  identifier: "TwoFactorResetStartRequest",
})

export const TwoFactorResetStart = Schema.Struct({
  resetId: Schema.String,
  livenessAccessToken: optionalNullable(Schema.String.annotate(secret)),
  verificationLink: optionalNullable(Schema.String.annotate(secret)),
  expiresAt: optionalNullable(Timestamp),
}).annotate({ identifier: "TwoFactorResetStart" })
export type TwoFactorResetStart = typeof TwoFactorResetStart.Type

export const TwoFactorResetStatus = Schema.Struct({
  status: TwoFactorResetState,
  factor: ScaFactor,
  enrollmentStatus: Schema.optionalKey(Schema.Literals(["PENDING", "COMPLETED"])),
  expiresAt: Timestamp,
  completedAt: optionalNullable(Timestamp),
}).annotate({ identifier: "TwoFactorResetStatus" })
export type TwoFactorResetStatus = typeof TwoFactorResetStatus.Type

const countryCodePattern = /^\+[1-9]\d{0,2}$/u
/** With the longest country code it has 15 digits, the most that E.164 allows. */
const nationalNumberPattern = /^\d{4,12}$/u

export const MobileNumber = Schema.Struct({
  countryCode: Matching("code", countryCodePattern, "a country calling code, such as +1"),
  number: Matching("code", nationalNumberPattern, "a national number of 4 to 12 digits, such as 4155550123"),
}).annotate({ identifier: "MobileNumber" })
export type MobileNumber = typeof MobileNumber.Type

export const TwoFactorResetCompleteRequest = Schema.Struct({
  mobile: Schema.optionalKey(
    MobileNumber.annotate({ description: "Required when SMS_OTP is reset, ignored otherwise." }),
  ),
}).annotate({ identifier: "TwoFactorResetCompleteRequest" })
