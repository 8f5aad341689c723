/** The table of error codes against the specification's list, which is copied by hand. */
import { bodyOf, unauthorized } from "@countersign/core"
import { type ErrorCode, ErrorCodes, statusOf, UnauthorizedReasons } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import { errors } from "../traceability/statements/Errors.ts"

/** Spec: Errors, "HTTP | Codes". */
const specified: Readonly<Record<number, string>> = {
  400: `INVALID_INPUT MISSING_MANDATORY_USER_INFO INVITATION_ALREADY_CLAIMED INVITATIONS_NOT_CONFIGURED INVALID_UMA_ADDRESS
    INVITATION_CANCELLED QUOTE_REQUEST_FAILED INVALID_PAYREQ_RESPONSE INVALID_RECEIVER PARSE_PAYREQ_RESPONSE_ERROR
    CERT_CHAIN_INVALID CERT_CHAIN_EXPIRED INVALID_PUBKEY_FORMAT MISSING_REQUIRED_UMA_PARAMETERS SENDER_NOT_ACCEPTED
    AMOUNT_OUT_OF_RANGE INVALID_CURRENCY INVALID_TIMESTAMP INVALID_NONCE INVALID_REQUEST_FORMAT INVALID_BANK_ACCOUNT
    SELF_PAYMENT LOOKUP_REQUEST_FAILED PARSE_LNURLP_RESPONSE_ERROR INVALID_AMOUNT WEBHOOK_ENDPOINT_NOT_SET
    WEBHOOK_DELIVERY_ERROR LOW_QUALITY DATA_MISMATCH EXPIRED SUSPECTED_FRAUD UNSUITABLE_DOCUMENT INCOMPLETE
    EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS SMS_OTP_CREDENTIAL_ALREADY_EXISTS PASSKEY_CREDENTIAL_ALREADY_EXISTS
    STABLECOIN_PROVIDER_ACCOUNT_INVALID STABLECOIN_PROVIDER_ACCOUNT_REVOKED STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED
    CARDHOLDER_KYC_NOT_APPROVED FUNDING_SOURCE_INELIGIBLE`,
  401: `UNAUTHORIZED INVALID_SIGNATURE WALLET_SIGNATURE_MISSING WALLET_SIGNATURE_MALFORMED WALLET_SIGNATURE_BODY_MISMATCH
    WALLET_SIGNATURE_INVALID REQUEST_ID_MISSING`,
  403: "FORBIDDEN USER_NOT_READY COUNTERPARTY_NOT_ALLOWED VELOCITY_LIMIT_EXCEEDED",
  404: `TRANSACTION_NOT_FOUND INVITATION_NOT_FOUND USER_NOT_FOUND QUOTE_NOT_FOUND LOOKUP_REQUEST_NOT_FOUND TOKEN_NOT_FOUND
    BULK_UPLOAD_JOB_NOT_FOUND REFERENCE_NOT_FOUND UMA_NOT_FOUND STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND`,
  500: "SERVICE_SWITCH_ERROR INTERNAL_ERROR",
}
/** Wire contract 8.2: additional codes of the statuses that the specification lists. */
const added: Readonly<Record<number, string>> = {
  400: "END_USER_TERMS_VERSION_NOT_FOUND TRANSACTION_SIZE_LIMIT_EXCEEDED EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED",
  403: "END_USER_TERMS_NOT_ACCEPTED",
}
/** Wire contract 8.2: the statuses that the specification does not list. */
const further: Readonly<Record<number, string>> = {
  405: "METHOD_NOT_ALLOWED",
  409: `TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL TRANSACTION_NOT_CANCELLABLE UMA_ADDRESS_EXISTS EMAIL_OTP_EMAIL_ALREADY_EXISTS
    EMAIL_OTP_CREDENTIAL_SET_CHANGED PASSKEY_ALREADY_ENROLLED SCA_SESSION_REQUIRED BENEFICIARY_TRUSTED
    INVALID_STATE_TRANSITION CARD_ALREADY_CLOSED CARD_NOT_MUTABLE CONFLICT`,
  410: "CUSTOMER_DELETED",
  412: "UNSUPPORTED_UMA_VERSION",
  423: "ACCOUNT_LOCKED",
  424: `PAYREQ_REQUEST_FAILED COUNTERPARTY_PUBKEY_FETCH_ERROR NO_COMPATIBLE_UMA_VERSION LNURLP_REQUEST_FAILED
    EMAIL_OTP_CREDENTIAL_SYNC_FAILED`,
  429: "RATE_LIMITED DAILY_VOLUME_LIMIT_EXCEEDED",
  501: "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY NOT_IMPLEMENTED",
  503: "SERVICE_UNAVAILABLE",
}
const words = (text: string | undefined) => (text ?? "").split(/\s+/u).filter((word) => word !== "")
const codesAt = (status: number) => ErrorCodes.keys.filter((code) => statusOf(code) === status)
const rows = (table: Readonly<Record<number, string>>) =>
  Object.entries(table).map(([status, text]) => [Number(status), words(text)] as const)

describe("the table of error codes", () => {
  // Proves: ERR-BODY-02
  it.each(rows(specified))(
    "has exactly the codes of status %i that the specification and the wire contract list",
    (status, codes) => {
      expect(codesAt(status).toSorted()).toEqual([...codes, ...words(added[status])].toSorted())
    },
  )

  it.each(rows(specified))("has a statement for each code of status %i that the specification lists", (_, codes) => {
    const stated = errors.statements.map(({ id }) => id)
    expect(codes.filter((code) => !stated.includes(`ERR-${code}`))).toEqual([])
  })

  it.each(rows(further))("has exactly the codes of status %i that the wire contract lists", (status, codes) => {
    expect(codesAt(status).toSorted()).toEqual(codes.toSorted())
  })

  it("has no other status", () => {
    const statuses = [...new Set(ErrorCodes.keys.map(statusOf))].map(String)
    expect(statuses.toSorted()).toEqual([...Object.keys(specified), ...Object.keys(further)].toSorted())
  })

  it("has no success status and no 422, which only a platform sends", () => {
    for (const code of ErrorCodes.keys) {
      expect(statusOf(code)).toBeGreaterThanOrEqual(400)
      expect(statusOf(code)).not.toBe(422)
    }
  })
})

describe("a 401", () => {
  // Proves: SBXAUTH-24, ERR-RULE-04
  it.each(UnauthorizedReasons.entries)("%s carries its reason at top level and in the details", (name, text) => {
    const error = unauthorized(name)
    expect(error.status).toBe(401)
    expect(bodyOf(error)).toEqual({
      status: 401,
      code: "UNAUTHORIZED",
      message: text,
      reason: text,
      details: { reason: text },
    })
  })

  it.each(codesAt(401))("%s shows the reason of its details", (code: ErrorCode) => {
    expect(bodyOf({ code, message: "no", details: { reason: "a check" } }).reason).toBe("a check")
  })

  it("has a different text for each reason", () => {
    const texts = UnauthorizedReasons.entries.map(([, text]) => text)
    expect(new Set<string>(texts).size).toBe(texts.length)
  })
})
