/**
 * The table of sandbox-only leniencies: what a sandbox accepts and a live deployment does not. The report of a test run names those that
 * the run relied on.
 * Spec: Sandbox authentication behavior; 4.6.
 */
import * as Coverage from "../foundation/kit/Coverage.ts"
import * as Table from "../foundation/kit/Table.ts"

export const SandboxLeniencies = Table.make("SandboxLeniencies", {
  FIXED_CODE: "a fixed code replaced one that a customer would receive",
  FIXED_OTP: "a wallet sign-in used the fixed code",
  WALLET_SIGNATURE_LITERAL: "sandbox-valid-signature replaced the signature of a session's key",
  PASSKEY_SIGNATURE_LITERAL: "sandbox-valid-passkey-signature replaced a passkey's signature",
  TOKEN_SIGNATURE_UNCHECKED: "the issuer's signature of an OIDC token was not verified",
})

/** Reports to `Coverage` that a leniency was relied on. */
export const recordLeniency = (name: (typeof SandboxLeniencies.keys)[number]): void =>
  Coverage.record({ _tag: "Leniency", name })
