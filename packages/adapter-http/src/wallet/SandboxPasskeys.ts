/**
 * `PasskeyChecks` of the sandbox: the same checks, and one legacy literal that counts as a valid signature.
 * Spec: Sandbox authentication behavior (2), Versioning (3); D-162.
 */
import type { PasskeyChecks } from "@countersign/core/ports"
import { recordLeniency } from "@countersign/core/sandbox"
import { Effect } from "effect"
import * as Passkeys from "./Passkeys.ts"

/** Replaces a valid signature; the other checks still apply. */
const legacySignature = "sandbox-valid-passkey-signature"

const accepted = Effect.sync(() => {
  recordLeniency("PASSKEY_SIGNATURE_LITERAL")
  return true
})

export const make = (options: Passkeys.PasskeyOptions): PasskeyChecks["Service"] =>
  Passkeys.make(options, (assertion, passkey) =>
    assertion.signature === legacySignature ? accepted : Passkeys.isSigned(assertion, passkey),
  )
