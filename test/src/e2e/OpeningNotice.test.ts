/**
 * A start that takes its time says so, also while the database leaves no turn to anything else, as PGlite does.
 * Source: issue "PostgreSQL", PGlite (printed progress).
 */

import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { binaries } from "./ServerProcess.ts"

const module = new URL("../../../packages/cli/src/Database.ts", import.meta.url).href

/** Opens a folder by the code given, and answers what was printed. */
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

it("is said once, to people, while nothing else happens", { timeout: 90_000 }, () => {
  expect(printedBy("while (fstatSync(2).size === 0);")).toBe("opening ./here ...\n0")
})

it("is not said by a start that is quick", { timeout: 90_000 }, () => {
  expect(printedBy("")).toBe("0")
})
