/** A store under load, as the benchmarks start and stop it. */
import type { CurrentCaller, Store, WallTime } from "@countersign/core"
import type { ManagedRuntime } from "effect"

/** A store and a way to run effects on it. */
export type BenchStore = ManagedRuntime.ManagedRuntime<Store | WallTime | CurrentCaller, never>
