/**
 * Conformance under load: random batches from a seed, each with an audit of everything that it wrote. A fault that occurs once in fifty sets
 * is noticed by them.
 * Source: D-518.
 */
import { Effect } from "effect"
import type { Suite } from "../Suite.ts"
import { dependentSets } from "./Dependent.ts"
import { filteredPages } from "./FilteredPages.ts"
import { independentSets } from "./Independent.ts"
import { repeatedKeys } from "./RepeatedKeys.ts"
import { reports } from "./Reports.ts"
import { workersUnderLoad } from "./Workers.ts"
import { workPages } from "./WorkPages.ts"

export const load = ({ test }: Suite): void => {
  test("commits sets that depend on nothing, of several tenants at once, without the loss of a part", (seed) =>
    independentSets(seed))

  test("commits sets that depend on each other as if one came after the other", (seed) => dependentSets(seed))

  test("applies one set of each idempotency key", (seed) => repeatedKeys(seed))

  test("gives each job to one worker at a time, until it is finished", (seed) => workersUnderLoad(seed))

  test("pages through filtered lists from cursors anywhere", (seed) => filteredPages(seed))

  test("pages through jobs and books", (seed) => workPages(seed))

  test("reports each commit", (seed) => Effect.scoped(reports(seed)))
}
