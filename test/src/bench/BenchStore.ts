/** A store that the benchmarks start, load and stop. */
import type { CurrentCaller } from "@countersign/core"
import type { WallTime } from "@countersign/core/ports"
import type { Store } from "@countersign/core/store"
import type { ManagedRuntime } from "effect"

/** A store and a way to run effects on it. */
export type BenchStore = ManagedRuntime.ManagedRuntime<Store | WallTime | CurrentCaller, never>
