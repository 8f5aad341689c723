/**
 * The conformance suite of the `Rails` port.
 * Source: D-321, D-444; ports/Rails.ts.
 */
import type { Rails } from "@countersign/core/ports"
import type { Layer } from "effect"
import { register } from "./PortChecks.ts"
import { type RailsConformanceOptions, railsChecks } from "./railsChecks.ts"

/** Registers the suite. Each test builds the layer anew. */
export const railsConformance = <E>(
  name: string,
  layer: Layer.Layer<Rails, E>,
  options: RailsConformanceOptions,
): void => register(`Rails: ${name}`, railsChecks(layer, options))
