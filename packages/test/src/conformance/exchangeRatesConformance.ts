/**
 * The conformance suite of the `ExchangeRates` port.
 * Source: D-444, D-529; ports/ExchangeRates.ts.
 */
import type { ExchangeRates } from "@countersign/core/ports"
import type { Layer } from "effect"
import { type ExchangeRatesConformanceOptions, exchangeRatesChecks } from "./exchangeRatesChecks.ts"
import { register } from "./PortChecks.ts"

/** Registers the suite. Each test builds the layer anew. */
export const exchangeRatesConformance = <E>(
  name: string,
  layer: Layer.Layer<ExchangeRates, E>,
  options: ExchangeRatesConformanceOptions,
): void => register(`ExchangeRates: ${name}`, exchangeRatesChecks(layer, options))
