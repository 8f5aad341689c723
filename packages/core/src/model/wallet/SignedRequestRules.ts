/**
 * Rules that accept the signature of a signed request, in order of precedence. A failed attempt does not consume the request.
 * Spec: Errors (401 rows); wire contract 4.7 and 4.12; D-142.
 */
import type { ErrorCode } from "../../foundation/errors/ErrorCodes.ts"
import { type Refusal, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import { UnauthorizedReasons } from "../../foundation/errors/UnauthorizedReasons.ts"
import * as Rules from "../../foundation/kit/Rules.ts"

export interface SignedFacts {
  readonly hasRequestId: boolean
  readonly hasSignature: boolean
  /** The signature header can be parsed. */
  readonly isReadable: boolean
  /** The pending request exists, and is neither expired nor used. */
  readonly isPending: boolean
  /** The pending request was issued for this operation, target and body. */
  readonly isBound: boolean
  /** The signature verifies over the payload. */
  readonly isSigned: boolean
  /** The key belongs to an active session. */
  readonly isActive: boolean
  /** That session may sign this operation. */
  readonly isAdmitted: boolean
}

const refusalOf = (code: ErrorCode, message: string, reason?: keyof typeof UnauthorizedReasons.rows): Refusal => ({
  code,
  message,
  ...(reason === undefined ? {} : { details: { reason: UnauthorizedReasons.rows[reason] } }),
})

const signatureRule = (
  name: string,
  holds: (facts: SignedFacts) => boolean,
  refusal: Refusal,
): readonly [string, (facts: SignedFacts) => Refusal | undefined] => [
  name,
  (facts) => (holds(facts) ? undefined : refusal),
]

const invalid = "WALLET_SIGNATURE_INVALID"

export const SignedRequestRules = Rules.make<SignedFacts, Refusal>("SignedRequest", [
  signatureRule(
    "REQUEST_ID_GIVEN",
    ({ hasRequestId }) => hasRequestId,
    refusalOf("REQUEST_ID_MISSING", "The header Request-Id is missing: send the requestId of the 202."),
  ),
  signatureRule(
    "SIGNATURE_GIVEN",
    ({ hasSignature }) => hasSignature,
    refusalOf("WALLET_SIGNATURE_MISSING", "The wallet signature header is missing."),
  ),
  signatureRule(
    "SIGNATURE_READABLE",
    ({ isReadable }) => isReadable,
    refusalOf(
      "WALLET_SIGNATURE_MALFORMED",
      "The wallet signature is not base64url JSON with publicKey, scheme and signature.",
    ),
  ),
  signatureRule("REQUEST_PENDING", ({ isPending }) => isPending, unauthorizedFor("REQUEST_SPENT")),
  signatureRule(
    "REQUEST_SAME",
    ({ isBound }) => isBound,
    refusalOf("WALLET_SIGNATURE_BODY_MISMATCH", "What was signed is another request than this one."),
  ),
  signatureRule(
    "SIGNATURE_VALID",
    ({ isSigned }) => isSigned,
    refusalOf(invalid, "The wallet signature does not verify.", "INVALID_WALLET_SIGNATURE"),
  ),
  signatureRule(
    "SESSION_ACTIVE",
    ({ isActive }) => isActive,
    refusalOf(invalid, "The wallet signature is not of an active session.", "SESSION_NOT_ACTIVE"),
  ),
  signatureRule(
    "SESSION_ADMITTED",
    ({ isAdmitted }) => isAdmitted,
    refusalOf(invalid, "The session that signed may not sign this.", "SESSION_NOT_ADMITTED"),
  ),
])
