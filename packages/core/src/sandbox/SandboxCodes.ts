/**
 * Security codes of the sandbox: nothing is sent, and one fixed code is always valid.
 * Source: wire contract 5.12 and 7.6 (contact verification and strong authentication).
 */
import { Effect, Layer, Redacted } from "effect"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { SecurityCodes } from "../ports/SecurityCodes.ts"
import { recordLeniency } from "./SandboxLeniencies.ts"

/** The fixed code. */
export const sandboxCode = "123456"

/** Provides `SecurityCodes` that accept the fixed code, for every contact and as often as it is tried. */
export const layer: Layer.Layer<SecurityCodes> = Layer.succeed(SecurityCodes, {
  send: () => Effect.void,
  check: (_request, code) =>
    Effect.sync(() => {
      const isFixed = Redacted.value(code) === sandboxCode
      if (isFixed) recordLeniency("FIXED_CODE")
      return isFixed
    }),
}).pipe(sandboxOnly("SandboxCodes"))
