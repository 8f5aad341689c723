/**
 * The conformance suite of the `OtpSender` port.
 * Source: D-444, D-528; ports/OtpSender.ts.
 */
import type { OtpSender } from "@countersign/core/ports"
import type { Layer } from "effect"
import { type OtpSenderConformanceOptions, otpSenderChecks } from "./otpSenderChecks.ts"
import { register } from "./PortChecks.ts"

/** Registers the suite. Each test builds the layer anew. */
export const otpSenderConformance = <E>(
  name: string,
  layer: Layer.Layer<OtpSender, E>,
  options: OtpSenderConformanceOptions,
): void => register(`OtpSender: ${name}`, otpSenderChecks(layer, options))
