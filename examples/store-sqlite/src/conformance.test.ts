/** The store keeps every law of the port. Each test opens a new, empty store. */
import { WallTime } from "@countersign/core/ports"
import { storeConformance } from "@countersign/test/conformance"
import { Layer } from "effect"
import { SqliteStore } from "./SqliteStore.ts"

const Sqlite = SqliteStore.layer({ file: ":memory:" }).pipe(Layer.provide(WallTime.layerClock))

storeConformance("SQLite", Sqlite, { timeoutMillis: 600_000 })
