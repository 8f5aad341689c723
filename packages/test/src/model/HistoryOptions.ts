/** Options of a search for a failing history: its effort, and replacements of parts of the world. */
import type { SearchOptions } from "../arbitraries/Search.ts"
import type { WorldOptions } from "../harness/World.ts"

export interface HistoryOptions extends SearchOptions {
  /** Replacements of the store, the ports, the wrapper of the store and the fail points. */
  readonly world?: Pick<WorldOptions, "store" | "ports" | "around" | "failPoints">
}
