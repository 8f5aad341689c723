/**
 * The operations of `SecurityCodes`, `OtpSender` and `ScaProvider`.
 * Source: ports/SecurityCodes.ts, OtpSender.ts, ScaProvider.ts; D-086, D-322, D-527.
 */
import {
  AccountInfo,
  EmbeddedWalletConfig,
  EnrollableFactor,
  ScaFactor,
  ScaFactorEnrollStart,
} from "@countersign/core/models"
import type {
  Beneficiary,
  OtpMessage,
  PaymentFacts,
  ScaAnswer,
  ScaChallenge,
  ScaConfirmation,
  ScaEnrollment,
} from "@countersign/core/ports"
import { Schema } from "effect"
import { exactly, Millis, optional, outcome, result, Secret, Text } from "./Parts.ts"
import { withoutUnknown } from "./PortOperation.ts"

const Members = Schema.Record(Text, Schema.Json)

const codeFields = { customerId: Text, purpose: Schema.Literals(["email", "phone", "sca"]), address: Text }

/** Codes and factors act again when they are sent again. */
const acting = { repetition: "again", deadline: "ask" } as const
const asking = { repetition: "none", deadline: "ask" } as const

export const securityCodesOperations = {
  send: withoutUnknown({
    path: "/security-codes/send",
    summary: "Sends a code to a contact.",
    request: Schema.Struct(codeFields),
    answer: result(Schema.Null),
    ...acting,
  }),
  check: withoutUnknown({
    path: "/security-codes/check",
    summary: "Says whether this is the last code sent and still valid.",
    request: Schema.Struct({ ...codeFields, code: Secret }),
    answer: result(Schema.Boolean),
    ...acting,
  }),
}

const Message = exactly<OtpMessage>()(
  Schema.Struct({
    platformId: Text,
    customerId: Schema.NullOr(Text),
    accountId: Text,
    type: Schema.Literals(["EMAIL_OTP", "SMS_OTP"]),
    contact: Text,
    code: Secret,
    expiresAt: Millis,
    settings: EmbeddedWalletConfig,
  }),
)

export const otpSenderOperations = {
  send: withoutUnknown({
    path: "/otp-sender/send",
    summary: "Delivers a one-time code of the service.",
    request: Message,
    answer: result(Schema.Null),
    ...acting,
  }),
}

const Confirmation = exactly<ScaConfirmation>()(
  Schema.Union([
    Schema.Struct({ type: Schema.Literal("TOTP"), secret: Secret, code: Secret }),
    Schema.Struct({ type: Schema.Literal("PASSKEY"), origin: Text, credential: Members }),
  ]),
)

const Enrollment = exactly<ScaEnrollment>()(
  Schema.Union([
    outcome("Refused", { field: Text }),
    outcome("Enrolled", { credentialId: Text, name: optional(Text), recoveryCodes: Schema.Array(Text) }),
  ]).annotate({ identifier: "ScaEnrollment" }),
)

const Challenge = exactly<ScaChallenge>()(
  Schema.Struct({
    passkeyOptions: optional(Members),
    allowedOrigins: optional(Schema.Array(Text)),
    relyingPartyId: optional(Text),
  }).annotate({ identifier: "ScaChallenge" }),
)

const Answer = exactly<ScaAnswer>()(
  Schema.Struct({
    customerId: Text,
    challengeId: Text,
    factor: ScaFactor,
    endUserIpAddress: optional(Text),
    code: optional(Secret),
    passkeyAssertion: optional(Members),
    origin: optional(Text),
  }),
)

const Reset = Schema.Struct({ customerId: Text, resetId: Text })

export const scaProviderOperations = {
  startEnrollment: withoutUnknown({
    path: "/sca-provider/start-enrollment",
    summary: "Starts the enrolment of a factor.",
    request: Schema.Struct({ customerId: Text, type: EnrollableFactor }),
    answer: result(ScaFactorEnrollStart),
    ...acting,
  }),
  confirmEnrollment: withoutUnknown({
    path: "/sca-provider/confirm-enrollment",
    summary: "Completes an enrolment by the customer's answer.",
    request: Schema.Struct({ customerId: Text, confirmation: Confirmation }),
    answer: Enrollment,
    ...acting,
  }),
  challenge: withoutUnknown({
    path: "/sca-provider/challenge",
    summary: "Starts a challenge; the code of `SMS_OTP` is sent to the number.",
    request: Schema.Struct({ customerId: Text, challengeId: Text, factor: ScaFactor, phoneNumber: optional(Text) }),
    answer: result(Challenge),
    ...acting,
  }),
  purposes: withoutUnknown({
    path: "/sca-provider/purposes",
    summary:
      "Returns the purposes of a payment's consecutive challenges, at least one. Asked if `sca.purposes` is set.",
    request: exactly<PaymentFacts>()(
      Schema.Struct({ customerId: Text, isExchange: Schema.Boolean, isPayout: Schema.Boolean }),
    ),
    answer: result(Schema.NonEmptyArray(Text)),
    ...asking,
  }),
  challengesTrust: withoutUnknown({
    path: "/sca-provider/challenges-trust",
    summary: "Says whether the trust in an external account needs a challenge. Asked if `sca.challengesTrust` is set.",
    request: exactly<Beneficiary>()(Schema.Struct({ customerId: Text, accountInfo: AccountInfo })),
    answer: result(Schema.Boolean),
    ...asking,
  }),
  check: withoutUnknown({
    path: "/sca-provider/check",
    summary: "Says whether an answer to a challenge is right.",
    request: Answer,
    answer: result(Schema.Boolean),
    ...acting,
  }),
  startReset: withoutUnknown({
    path: "/sca-provider/start-reset",
    summary: "Starts the reset of a factor.",
    request: Schema.Struct({ ...Reset.fields, factor: ScaFactor }),
    answer: result(Schema.Struct({ livenessAccessToken: optional(Text), verificationLink: optional(Text) })),
    ...acting,
  }),
  resetState: withoutUnknown({
    path: "/sca-provider/reset-state",
    summary: "Returns the state of a reset.",
    request: Reset,
    answer: result(Schema.Literals(["INITIATED", "PENDING_REVIEW", "LIVENESS_PASSED", "REJECTED"])),
    ...asking,
  }),
}
