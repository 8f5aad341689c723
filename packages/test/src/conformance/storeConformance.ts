/**
 * The conformance suite of the `Store` port, as a function of a layer. The author of an adapter calls it in a test.
 * Source: architecture, "Where a new thing goes" (storage adapter).
 */
import type { Store } from "@countersign/core/store"
import type { Layer } from "effect"
import { describe, it } from "../runner/Runner.ts"
import { type ConformanceOptions, storeChecks } from "./storeChecks.ts"

/** Registers the suite. Each test builds the layer anew, which must be an empty store. */
export const storeConformance = <E>(
  name: string,
  layer: Layer.Layer<Store, E>,
  options: ConformanceOptions = {},
): void =>
  describe(`Store: ${name}`, () => {
    for (const [section, checks] of Map.groupBy(storeChecks(layer, options), (check) => check.section)) {
      describe(section, () => {
        for (const { run, title } of checks) it(title, run, options.timeoutMillis)
      })
    }
  })
