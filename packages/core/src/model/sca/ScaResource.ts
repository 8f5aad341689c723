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
/** A factor with which the customer can authenticate. */
export type ScaFactorView = typeof ScaFactorView.Type

/** Answer of `GET /sca/factors`. */
export const ScaFactorList = Schema.Struct({ factors: Schema.Array(ScaFactorView) }).annotate({
  identifier: "ScaFactorList",
})

/** A factor that is enrolled. `SMS_OTP` needs no enrolment: it uses the customer's phone number. */
export const EnrollableFactor = Schema.Literals(["TOTP", "PASSKEY"])
export type EnrollableFactor = typeof EnrollableFactor.Type

/** Body of `POST /sca/factors`. */
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
/** Answer of `POST /sca/factors`: the secret for an authenticator app, or the options for a passkey. */
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
/** Body of `POST /sca/factors/confirm`: a code of the authenticator app, or the new passkey's credential. */
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
/** Answer of `POST /sca/factors/confirm`: recovery codes, which are shown only once, or the passkey. */
export const ScaFactorConfirmResponse = Schema.Union([
  TotpEnrollmentConfirmResponse,
  PasskeyEnrollmentConfirmResponse,
]).annotate({ identifier: "ScaFactorConfirmResponse" })
export type ScaFactorConfirmResponse = typeof ScaFactorConfirmResponse.Type

/** Body of `POST /sca/login/start`. */
export const ScaLoginStartRequest = Schema.Struct({ factor: ScaFactor }).annotate({
  identifier: "ScaLoginStartRequest",
})

/** Answer of `POST /sca/login/start`: a challenge, valid for five minutes. Members that the factor does not use are `null` or absent. */
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

/** Body of `POST /sca/login/complete`: a code, or for `PASSKEY` an assertion with its origin. */
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

/** Answer of `POST /sca/login/complete`. `status` is `AUTHENTICATED`. */
export const ScaLoginComplete = Schema.Struct({
  status: Schema.String,
  sessionExpiresAt: optionalNullable(Timestamp),
}).annotate({
  identifier: "ScaLoginComplete",
})
export type ScaLoginComplete = typeof ScaLoginComplete.Type

/** What happened at the platform's own sign-in: failed attempts lock the customer, a new password resets their count. */
export const SecurityEventType = Schema.Literals(["RESET_PASSWORD_COMPLETED", "FAILED_LOGIN_ATTEMPT"])
export type SecurityEventType = typeof SecurityEventType.Type

/** Body of `POST /sca/record-event`. */
export const RecordSecurityEventRequest = Schema.Struct({ eventType: SecurityEventType }).annotate({
  identifier: "RecordSecurityEventRequest",
})

/** Answer of `POST /sca/record-event`. `suspended`: the lock has no end. `lockedUntil` is `null` or absent without a lock. */
export const RecordSecurityEventResponse = Schema.Struct({
  eventType: SecurityEventType,
  suspended: Schema.Boolean,
  lockedUntil: optionalNullable(Timestamp),
  failedAttempts: Schema.Int,
}).annotate({ identifier: "RecordSecurityEventResponse" })
export type RecordSecurityEventResponse = typeof RecordSecurityEventResponse.Type

/** Body of `POST /sca/factors/reset`: the factor that the customer lost. */
export const TwoFactorResetStartRequest = Schema.Struct({ factor: ScaFactor }).annotate({
  identifier: "TwoFactorResetStartRequest",
})

/** Answer of `POST /sca/factors/reset`: a new reset, with the token or the link for the provider's liveness check. */
export const TwoFactorResetStart = Schema.Struct({
  resetId: Schema.String,
  livenessAccessToken: optionalNullable(Schema.String.annotate(secret)),
  verificationLink: optionalNullable(Schema.String.annotate(secret)),
  expiresAt: optionalNullable(Timestamp),
}).annotate({ identifier: "TwoFactorResetStart" })
export type TwoFactorResetStart = typeof TwoFactorResetStart.Type

/** Answer of `GET /sca/factors/reset/{resetId}`, which the platform polls until the provider has decided. */
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

/** A phone number as its country calling code and its national number. */
export const MobileNumber = Schema.Struct({
  countryCode: Matching("code", countryCodePattern, "a country calling code, such as +1"),
  number: Matching("code", nationalNumberPattern, "a national number of 4 to 12 digits, such as 4155550123"),
}).annotate({ identifier: "MobileNumber" })
export type MobileNumber = typeof MobileNumber.Type

/** Optional body of `POST /sca/factors/reset/{resetId}/complete`: the new phone number. */
export const TwoFactorResetCompleteRequest = Schema.Struct({
  mobile: Schema.optionalKey(
    MobileNumber.annotate({ description: "Required when SMS_OTP is reset, ignored otherwise." }),
  ),
}).annotate({ identifier: "TwoFactorResetCompleteRequest" })
