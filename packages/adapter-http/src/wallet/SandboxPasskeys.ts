/**
 * `PasskeyChecks` of the sandbox: the same checks, and one legacy value of a signature that skips them.
 * Spec: Sandbox authentication behavior (2), Versioning (3); wire contract areas 3.5; D-162.
 */
import { PasskeyChecks } from "@countersign/core/ports"
import { recordLeniency } from "@countersign/core/sandbox"
import { Effect } from "effect"
import * as Passkeys from "./Passkeys.ts"

const legacySignature = "sandbox-valid-passkey-signature"

export const make = (options: Passkeys.PasskeyOptions): PasskeyChecks["Service"] => {
  const checks = Passkeys.make(options)
  return PasskeyChecks.of({
    register: checks.register,
    assert: (assertion, challenge, passkey) =>
      assertion.signature === legacySignature
        ? Effect.sync(() => {
            recordLeniency("PASSKEY_SIGNATURE_LITERAL")
            // Nobody was verified, and the counter does not move.
            return { signatureCount: passkey.signatureCount, userVerified: false }
          })
        : checks.assert(assertion, challenge, passkey),
  })
}
