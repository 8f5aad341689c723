/** The public names of the sandbox. */
export * as Sandbox from "./Sandbox.ts"
export * as SandboxCodes from "./SandboxCodes.ts"
export * as SandboxRails from "./SandboxRails.ts"
export * as SandboxRates from "./SandboxRates.ts"
export * from "./SandboxRateTable.ts"
export * as SandboxVerifier from "./SandboxVerifier.ts"
export * from "./TransferSuffixes.ts"
export * from "./VerificationSuffixes.ts"
