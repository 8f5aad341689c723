/** The ports that an embedding may replace, by name. */
import { ExchangeRates, Issuer, OtpSender, Rails, ScaProvider, SecurityCodes, Verifier } from "@countersign/core/ports"
import type { Context } from "effect"

/** The ports to the world that live mode needs, all of them: the sandbox answers each by magic values. */
export const externalPorts = { Rails, ExchangeRates, Verifier, SecurityCodes, ScaProvider, OtpSender, Issuer }

type PortName = keyof typeof externalPorts

export type ExternalPorts = Context.Service.Identifier<(typeof externalPorts)[PortName]>
