/**
 * Both ports that prove who somebody is, as a deployment takes them: live or as the sandbox has them.
 * Spec: Sandbox authentication behavior (2, 3); D-163.
 */
import { type OidcChecks, PasskeyChecks } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import * as Oidc from "./Oidc.ts"
import type { OidcOptions } from "./OidcTokens.ts"
import type { PasskeyOptions } from "./Passkeys.ts"
import * as SandboxOidc from "./SandboxOidc.ts"

/** The WebAuthn library takes as long to load as the rest of the server: it is loaded when the first passkey comes. */
const whenAsked = (load: () => Promise<PasskeyChecks["Service"]>): Layer.Layer<PasskeyChecks> =>
  Layer.sync(PasskeyChecks, () => {
    let loading: Promise<PasskeyChecks["Service"]> | undefined
    const loaded = Effect.promise(() => {
      loading ??= load()
      return loading
    })
    return {
      register: (...given) => Effect.flatMap(loaded, ({ register }) => register(...given)),
      assert: (...given) => Effect.flatMap(loaded, ({ assert }) => assert(...given)),
    }
  })

export const layer = (options: PasskeyOptions & Oidc.Options = {}): Layer.Layer<PasskeyChecks | OidcChecks> =>
  Layer.merge(
    whenAsked(async () => (await import("./Passkeys.ts")).make(options)),
    Oidc.layer(options),
  )

export const sandboxLayer = (options: PasskeyOptions & OidcOptions = {}): Layer.Layer<PasskeyChecks | OidcChecks> =>
  Layer.merge(
    whenAsked(async () => (await import("./SandboxPasskeys.ts")).make(options)),
    SandboxOidc.layer(options),
  )
