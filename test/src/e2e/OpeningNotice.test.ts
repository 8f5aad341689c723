/**
 * A slow start prints a notice, even while PGlite blocks the event loop.
 */

import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { binaries } from "./ServerProcess.ts"

const module = new URL("../../../packages/cli/src/Database.ts", import.meta.url).href

/** Runs the code as the opening of a folder, and returns the printed text. */
const printedBy = (opening: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-notice-"))
  const file = join(folder, "stderr")
  const output = openSync(file, "w")
  try {
    const code = `
      import { fstatSync } from "node:fs"
      import { Effect } from "effect"
      import { withOpeningNotice } from ${JSON.stringify(module)}
      await Effect.runPromise(withOpeningNotice({ _tag: "Folder", folder: "./here" })(Effect.sync(() => { ${opening} })))`
    const words = ["--conditions=@countersign/source", "--input-type=module", "--eval", code]
    const { status } = spawnSync(`${binaries}/node`, words, { stdio: ["ignore", "ignore", output], timeout: 60_000 })
    return `${readFileSync(file, "utf8")}${status}`
  } finally {
    closeSync(output)
    rmSync(folder, { recursive: true })
  }
}

it("prints the notice once while a slow opening blocks the event loop", { timeout: 120_000 }, () => {
  expect(printedBy("while (fstatSync(2).size === 0);")).toBe("opening ./here ...\n0")
})

it("prints no notice for a fast opening", { timeout: 120_000 }, () => {
  expect(printedBy("")).toBe("0")
})
