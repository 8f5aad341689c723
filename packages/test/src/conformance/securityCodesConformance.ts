/**
 * The conformance suite of the `SecurityCodes` port.
 * Source: D-444, D-528; ports/SecurityCodes.ts.
 */
import type { SecurityCodes } from "@countersign/core/ports"
import type { Layer } from "effect"
import { register } from "./PortChecks.ts"
import { type SecurityCodesConformanceOptions, securityCodesChecks } from "./securityCodesChecks.ts"

/** Registers the suite. Each test builds the layer anew. */
export const securityCodesConformance = <E>(
  name: string,
  layer: Layer.Layer<SecurityCodes, E>,
  options: SecurityCodesConformanceOptions,
): void => register(`SecurityCodes: ${name}`, securityCodesChecks(layer, options))
