/**
 * `OidcChecks` of the sandbox: it accepts any signature and checks every claim.
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
