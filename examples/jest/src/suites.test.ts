/** The published suites with Jest: a store of your own, and a machine of your own. */
import { MemoryStore } from "@countersign/adapter-memory"
import { WallTime } from "@countersign/core/ports"
import { Machine } from "@countersign/core/verify"
import { storeConformance } from "@countersign/test/conformance"
import { proveMachine } from "@countersign/test/proof"
import { Layer } from "effect"

// Your own layer of `Store` stands here; it is built anew, and empty, for each test.
storeConformance("mine", MemoryStore.layer.pipe(Layer.provide(WallTime.layerClock)))

proveMachine(
  Machine.make({
    name: "Door",
    arrows: [
      [null, "Build", "OPEN"],
      ["OPEN", "Close", "CLOSED"],
      ["CLOSED", "Open", "OPEN"],
    ],
  }),
)
