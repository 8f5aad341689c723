/**
 * Verifies passkeys: the attestation of a new one and the assertion of a registered one.
 * Spec: Sandbox authentication behavior (2); wire contract 4.3 to 4.5, 4.12, 11.26 to 11.29.
 */
import { Context, Data, type Effect } from "effect"
import type { RegisteredPasskey } from "../model/wallet/Credential.ts"

/** The response of `navigator.credentials.create`, its binary members in base64url. Source: wire contract 4.3. */
export interface PasskeyAttestation {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly attestationObject: string
  readonly transports?: ReadonlyArray<string>
}

/** The response of `navigator.credentials.get`, its binary members in base64url. Source: wire contract 4.5. */
export interface PasskeyAssertion {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle?: string
}

/**
 * The failed check. `reason` is a text of the table of 401 reasons, or of `RegistrationReasons` for a registration. Unreadable input
 * fails the check that reads it; for a registration, `Invalid attestation`. Never contains the input.
 */
export class PasskeyRefused extends Data.TaggedError("PasskeyRefused")<{
  readonly reason: string
}> {}

export class PasskeyChecks extends Context.Service<
  PasskeyChecks,
  {
    /** `challenge` is the base64url text that the client data must carry. */
    readonly register: (
      attestation: PasskeyAttestation,
      challenge: string,
    ) => Effect.Effect<RegisteredPasskey, PasskeyRefused>
    /** `challenge` is the text whose bytes went into WebAuthn. */
    readonly assert: (
      assertion: PasskeyAssertion,
      challenge: string,
      passkey: RegisteredPasskey,
    ) => Effect.Effect<{ readonly signatureCount: number; readonly userVerified: boolean }, PasskeyRefused>
  }
>()("@countersign/core/PasskeyChecks") {}
