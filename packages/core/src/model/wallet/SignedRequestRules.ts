/**
 * The checks of a signed request, in order of precedence. None of them changes anything: a failed attempt consumes nothing.
 * Spec: Errors (401 rows); wire contract 4.7 and 4.12; D-142.
 */
import type { ErrorCode } from "../../foundation/errors/ErrorCodes.ts"
import { type Refusal, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import { UnauthorizedReasons } from "../../foundation/errors/UnauthorizedReasons.ts"
import * as Rules from "../../foundation/kit/Rules.ts"

export interface SignedFacts {
  readonly hasRequestId: boolean
  readonly hasSignature: boolean
  /** The header can be read. */
  readonly isReadable: boolean
  /** The request is known, not expired and not used. */
  readonly isPending: boolean
  /** It was issued for this operation, this target and this body. */
  readonly isBound: boolean
  /** The signature is of the payload. */
  readonly isSigned: boolean
  /** The key is that of an active session. */
  readonly isActive: boolean
  /** That session may sign this. */
  readonly isAdmitted: boolean
}

const refusal = (code: ErrorCode, message: string, reason?: keyof typeof UnauthorizedReasons.rows): Refusal => ({
  code,
  message,
  ...(reason === undefined ? {} : { details: { reason: UnauthorizedReasons.rows[reason] } }),
})

const row = (
  name: string,
  holds: (facts: SignedFacts) => boolean,
  refused: Refusal,
): readonly [string, (facts: SignedFacts) => Refusal | undefined] => [
  name,
  (facts) => (holds(facts) ? undefined : refused),
]

const invalid = "WALLET_SIGNATURE_INVALID"

export const SignedRequestRules = Rules.make<SignedFacts, Refusal>("SignedRequest", [
  row(
    "REQUEST_ID_GIVEN",
    ({ hasRequestId }) => hasRequestId,
    refusal("REQUEST_ID_MISSING", "The header Request-Id is missing: send the requestId of the 202."),
  ),
  row(
    "SIGNATURE_GIVEN",
    ({ hasSignature }) => hasSignature,
    refusal("WALLET_SIGNATURE_MISSING", "The wallet signature header is missing."),
  ),
  row(
    "SIGNATURE_READABLE",
    ({ isReadable }) => isReadable,
    refusal(
      "WALLET_SIGNATURE_MALFORMED",
      "The wallet signature is not base64url JSON with publicKey, scheme and signature.",
    ),
  ),
  row("REQUEST_PENDING", ({ isPending }) => isPending, unauthorizedFor("REQUEST_SPENT")),
  row(
    "REQUEST_SAME",
    ({ isBound }) => isBound,
    refusal("WALLET_SIGNATURE_BODY_MISMATCH", "What was signed is another request than this one."),
  ),
  row(
    "SIGNATURE_VALID",
    ({ isSigned }) => isSigned,
    refusal(invalid, "The wallet signature does not verify.", "INVALID_WALLET_SIGNATURE"),
  ),
  row(
    "SESSION_ACTIVE",
    ({ isActive }) => isActive,
    refusal(invalid, "The wallet signature is not of an active session.", "SESSION_NOT_ACTIVE"),
  ),
  row(
    "SESSION_ADMITTED",
    ({ isAdmitted }) => isAdmitted,
    refusal(invalid, "The session that signed may not sign this.", "SESSION_NOT_ADMITTED"),
  ),
])
