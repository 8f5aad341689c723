/**
 * Codes by e-mail and text message that are sent nowhere: one code fits all.
 * Source: wire contract 5.12 and 7.6 (contact verification and strong authentication).
 */
import { Effect, Layer, Redacted } from "effect"
import { SecurityCodes } from "../ports/SecurityCodes.ts"
import { recordLeniency } from "./SandboxLeniencies.ts"

/** The code of the sandbox. */
export const sandboxCode = "123456"

export const layer: Layer.Layer<SecurityCodes> = Layer.succeed(SecurityCodes, {
  send: () => Effect.void,
  check: (_request, code) =>
    Effect.sync(() => {
      const isFixed = Redacted.value(code) === sandboxCode
      if (isFixed) recordLeniency("FIXED_CODE")
      return isFixed
    }),
})
