/** A store of your own, held to what every store has to do. */
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import { storeConformance } from "@countersign/test/conformance"
import { Layer } from "effect"

// Your own layer of `Store` stands here; it is built anew, and empty, for each test.
const MyStore = MemoryStore.layer.pipe(Layer.provide(WallTime.layerClock))

storeConformance("mine", MyStore)
