/**
 * The passkey and OIDC ports of a deployment, in live mode and in the sandbox.
 * Spec: Sandbox authentication behavior (2, 3); D-163.
 */
import { type OidcChecks, PasskeyChecks } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import * as Oidc from "./Oidc.ts"
import type { OidcOptions } from "./OidcTokens.ts"
import type { PasskeyOptions } from "./Passkeys.ts"
import * as SandboxOidc from "./SandboxOidc.ts"

/** Further issuers of OIDC tokens, origins and relying parties of passkeys, and how the keys of issuers are fetched. */
export interface WalletCheckOptions extends PasskeyOptions, Oidc.Options {}

/** Loads the WebAuthn library at the first passkey, because it takes as long to load as the rest of the server. */
const lazily = (load: () => Promise<PasskeyChecks["Service"]>): Layer.Layer<PasskeyChecks> =>
  Layer.sync(PasskeyChecks, () => {
    let loading: Promise<PasskeyChecks["Service"]> | undefined
    const loaded = Effect.promise(() => {
      loading ??= load()
      return loading
    })
    return {
      register: (...input) => Effect.flatMap(loaded, ({ register }) => register(...input)),
      assert: (...input) => Effect.flatMap(loaded, ({ assert }) => assert(...input)),
    }
  })

/** Provides the checks of live mode: signatures of passkeys and tokens count, and the keys of issuers are fetched. */
export const layer = (options: WalletCheckOptions = {}): Layer.Layer<PasskeyChecks | OidcChecks> =>
  Layer.merge(
    lazily(async () => (await import("./Passkeys.ts")).make(options)),
    Oidc.layer(options),
  )

/** Provides the checks of the sandbox: it accepts any signature of a token, checks every claim, and fetches no keys. */
export const sandboxLayer = (options: PasskeyOptions & OidcOptions = {}): Layer.Layer<PasskeyChecks | OidcChecks> =>
  Layer.merge(
    lazily(async () => (await import("./SandboxPasskeys.ts")).make(options)),
    SandboxOidc.layer(options),
  )
