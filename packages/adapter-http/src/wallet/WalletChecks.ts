/**
 * Both ports that prove who somebody is, as a deployment takes them: live or as the sandbox has them.
 * Spec: Sandbox authentication behavior (2, 3).
 */
import type { OidcChecks, PasskeyChecks } from "@countersign/core"
import { Layer } from "effect"
import * as Oidc from "./Oidc.ts"
import type { OidcOptions } from "./OidcTokens.ts"
import * as Passkeys from "./Passkeys.ts"
import * as SandboxOidc from "./SandboxOidc.ts"
import * as SandboxPasskeys from "./SandboxPasskeys.ts"

export const layer = (options: Passkeys.PasskeyOptions & Oidc.Options = {}): Layer.Layer<PasskeyChecks | OidcChecks> =>
  Layer.merge(Passkeys.layer(options), Oidc.layer(options))

export const sandboxLayer = (
  options: Passkeys.PasskeyOptions & OidcOptions = {},
): Layer.Layer<PasskeyChecks | OidcChecks> => Layer.merge(SandboxPasskeys.layer(options), SandboxOidc.layer(options))
