/** A process to kill: commits change sets to a file, and prints the number of each one after its outcome. */
import { writeSync } from "node:fs"
import { WallTime } from "@countersign/core/ports"
import { commitStorm } from "@countersign/test/conformance"
import { Effect, Layer } from "effect"
import { SqliteStore } from "./SqliteStore.ts"

const [file = "", from = "1"] = process.argv.slice(2)
const acknowledge = (n: number) => void writeSync(1, `${n}\n`)

await Effect.runPromise(
  commitStorm({ from: Number(from), acknowledge }).pipe(
    Effect.provide(SqliteStore.layer({ file }).pipe(Layer.provide(WallTime.layerClock))),
  ),
)
