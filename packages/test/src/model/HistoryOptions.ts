/** What a search for a bad history takes: how long it looks, and what stands in place of the sandbox's own parts. */
import type { SearchOptions } from "../arbitraries/Search.ts"
import type { WorldOptions } from "../harness/World.ts"

export interface HistoryOptions extends SearchOptions {
  /** A store, ports, whatever stands between: the rest is as in any world. */
  readonly world?: Pick<WorldOptions, "store" | "ports" | "around" | "failPoints">
}
