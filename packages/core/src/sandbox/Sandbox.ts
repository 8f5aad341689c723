/**
 * The sandbox: layers for every port, which answer by magic value and by the clock.
 * Source: architecture, "The sandbox is layers, never branches".
 */
import { Layer } from "effect"
import type { ExchangeRates } from "../ports/ExchangeRates.ts"
import type { Issuer } from "../ports/Issuer.ts"
import type { OtpSender } from "../ports/OtpSender.ts"
import type { Rails } from "../ports/Rails.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import type { ScaProvider } from "../ports/ScaProvider.ts"
import type { SecurityCodes } from "../ports/SecurityCodes.ts"
import type { Verifier } from "../ports/Verifier.ts"
import * as ImportSuffixes from "./ImportSuffixes.ts"
import * as SandboxCodes from "./SandboxCodes.ts"
import * as SandboxDocuments from "./SandboxDocuments.ts"
import * as SandboxDomains from "./SandboxDomains.ts"
import * as SandboxFunding from "./SandboxFunding.ts"
import * as SandboxInvitations from "./SandboxInvitations.ts"
import * as SandboxIssuer from "./SandboxIssuer.ts"
import * as SandboxNetworkFees from "./SandboxNetworkFees.ts"
import * as SandboxOtp from "./SandboxOtp.ts"
import * as SandboxOwnership from "./SandboxOwnership.ts"
import * as SandboxRails from "./SandboxRails.ts"
import * as SandboxRates from "./SandboxRates.ts"
import * as SandboxSca from "./SandboxSca.ts"
import * as SandboxScreening from "./SandboxScreening.ts"
import * as SandboxSignatures from "./SandboxSignatures.ts"
import * as SandboxStablecoins from "./SandboxStablecoins.ts"
import * as SandboxUma from "./SandboxUma.ts"
import * as SandboxVasps from "./SandboxVasps.ts"
import * as SandboxVerifier from "./SandboxVerifier.ts"
import * as SandboxWebhooks from "./SandboxWebhooks.ts"

/** Provides every port for `ports` of `embed`. Live mode refuses it. */
export const layer: Layer.Layer<Rails | ExchangeRates | Verifier | SecurityCodes | ScaProvider | OtpSender | Issuer> =
  Layer.mergeAll(
    SandboxRails.layer,
    SandboxRates.layer,
    SandboxVerifier.layer,
    SandboxDocuments.layer,
    SandboxOwnership.layer,
    SandboxFunding.layer,
    SandboxScreening.layer,
    SandboxCodes.layer,
    SandboxSca.layer,
    SandboxOtp.layer,
    SandboxSignatures.layer,
    SandboxIssuer.layer,
    SandboxUma.layer,
    SandboxDomains.layer,
    SandboxWebhooks.layer,
    SandboxNetworkFees.layer,
    SandboxStablecoins.layer,
    SandboxVasps.layer,
    SandboxInvitations.layer,
    ImportSuffixes.layer,
  ).pipe(sandboxOnly("the sandbox's ports"))
