/**
 * One-time codes of wallets in the sandbox: nothing is sent, and the code is fixed. Its encryption is the same as in live mode.
 * Spec: Sandbox authentication behavior (1); wire contract 7.6.
 */
import { Effect, Layer, Redacted } from "effect"
import { OtpSender } from "../ports/OtpSender.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { recordLeniency } from "./SandboxLeniencies.ts"

/** The code of every OTP credential. */
export const sandboxOtp = "000000"

/** Provides an `OtpSender` that draws the fixed code and sends nothing. */
export const layer: Layer.Layer<OtpSender> = Layer.succeed(OtpSender, {
  send: () => Effect.void,
  draw: () => Effect.succeed(Redacted.make(sandboxOtp, { label: "OTP code" })),
  accepted: Effect.sync(() => recordLeniency("FIXED_OTP")),
}).pipe(sandboxOnly("SandboxOtp"))
