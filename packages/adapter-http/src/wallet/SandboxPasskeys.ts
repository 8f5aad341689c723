/**
 * `PasskeyChecks` of the sandbox: the same checks, and one old literal in place of a signature.
 * Spec: Sandbox authentication behavior (2), Versioning (3).
 */
import { PasskeyChecks } from "@countersign/core"
import { Effect, Layer } from "effect"
import * as Passkeys from "./Passkeys.ts"

/** Stands for a signature that would verify, and for nothing else. */
export const legacySignature = "sandbox-valid-passkey-signature"

export const layer = (options: Passkeys.PasskeyOptions = {}): Layer.Layer<PasskeyChecks> =>
  Layer.succeed(
    PasskeyChecks,
    Passkeys.make(options, (assertion, passkey) =>
      assertion.signature === legacySignature ? Effect.succeed(true) : Passkeys.isSigned(assertion, passkey),
    ),
  )
