/**
 * The conformance suite of the `Issuer` port.
 * Source: D-444; ports/Issuer.ts.
 */
import type { Issuer } from "@countersign/core/ports"
import type { Layer } from "effect"
import { type IssuerConformanceOptions, issuerChecks } from "./issuerChecks.ts"
import { register } from "./PortChecks.ts"

/** Registers the suite. Each test builds the layer anew. */
export const issuerConformance = <E>(
  name: string,
  layer: Layer.Layer<Issuer, E>,
  options: IssuerConformanceOptions,
): void => register(`Issuer: ${name}`, issuerChecks(layer, options))
