/** The ports that the embedding program provides, by name. */
import { ExchangeRates, Issuer, OtpSender, Rails, ScaProvider, SecurityCodes, Verifier } from "@countersign/core/ports"
import type { Context } from "effect"

/** All ports that live mode requires. The sandbox implements each by magic values. */
export const externalPorts = { Rails, ExchangeRates, Verifier, SecurityCodes, ScaProvider, OtpSender, Issuer }

type PortName = keyof typeof externalPorts

export type ExternalPorts = Context.Service.Identifier<(typeof externalPorts)[PortName]>
