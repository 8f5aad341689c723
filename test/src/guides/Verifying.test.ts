/** Tests a store of your own against the conformance suite. */
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import { storeConformance } from "@countersign/test/conformance"
import { Layer } from "effect"

// Replace it with your own layer of `Store`. Each test builds a new, empty store.
const MyStore = MemoryStore.layer.pipe(Layer.provide(WallTime.layerClock))

storeConformance("mine", MyStore)
