/**
 * Wallet signatures in the sandbox: verified as in live mode. In addition the legacy value is a valid signature of any payload. It has no
 * public key, so that it is valid for any session that may sign. All other rules of signed requests apply.
 * Spec: Sandbox authentication behavior (4), Versioning (3).
 */
import { Effect, Layer } from "effect"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { SignatureChecks, signatureChecks } from "../ports/SignatureChecks.ts"
import { recordLeniency } from "./SandboxLeniencies.ts"

/** The legacy value of the signature header. */
export const sandboxSignature = "sandbox-valid-signature"

/** Accepts every payload. */
const acceptsAnyPayload = Effect.sync(() => {
  recordLeniency("WALLET_SIGNATURE_LITERAL")
  return true
})

/** Provides `SignatureChecks` that accept the legacy value, too. */
export const layer = Layer.succeed(SignatureChecks, {
  read: (header) =>
    header === sandboxSignature ? Effect.succeed({ verifies: () => acceptsAnyPayload }) : signatureChecks.read(header),
}).pipe(sandboxOnly("SandboxSignatures"))
