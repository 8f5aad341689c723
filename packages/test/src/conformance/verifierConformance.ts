/**
 * The conformance suite of the `Verifier` port.
 * Source: D-444; ports/Verifier.ts.
 */
import type { Verifier } from "@countersign/core/ports"
import type { Layer } from "effect"
import { register } from "./PortChecks.ts"
import { type VerifierConformanceOptions, verifierChecks } from "./verifierChecks.ts"

/** Registers the suite. Each test builds the layer anew. */
export const verifierConformance = <E>(
  name: string,
  layer: Layer.Layer<Verifier, E>,
  options: VerifierConformanceOptions,
): void => register(`Verifier: ${name}`, verifierChecks(layer, options))
