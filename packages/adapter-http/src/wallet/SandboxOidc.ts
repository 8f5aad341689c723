/**
 * `OidcChecks` of the sandbox: whatever stands in the place of the signature is one; every claim counts.
 * Spec: Sandbox authentication behavior (3).
 */
import { OidcChecks } from "@countersign/core/ports"
import { recordLeniency } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import * as OidcTokens from "./OidcTokens.ts"

const unchecked = Effect.sync(() => {
  recordLeniency("TOKEN_SIGNATURE_UNCHECKED")
  return true
})

export const layer = (options: OidcTokens.OidcOptions = {}): Layer.Layer<OidcChecks> =>
  Layer.sync(OidcChecks, () => OidcTokens.make(options, () => unchecked))
