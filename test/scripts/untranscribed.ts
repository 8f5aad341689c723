/**
 * Lists the code that no transcript runs: `npm run transcripts:missing`, or for some folders or files,
 * `npm run transcripts:missing -- packages/core/src/decision`. A fault in it can be noticed by a test of its own alone.
 * Source: D-550.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type FunctionCoverage, markRun, piecesOf } from "../src/transcript/Unrun.ts"

const root = new URL("../../", import.meta.url)
const cwd = fileURLToPath(root)
const usual = ["service", "decision", "model", "operation", "store"].map((folder) => `packages/core/src/${folder}`)
const paths = process.argv.length > 2 ? process.argv.slice(2) : usual

interface Coverage {
  readonly result: ReadonlyArray<{ readonly url: string; readonly functions: ReadonlyArray<FunctionCoverage> }>
}

const counted = mkdtempSync(join(tmpdir(), "countersign-unrun-"))
const dump = new URL("transcripts/dump.mjs", import.meta.url).href
// Without the runner of modules, what is counted are the sources themselves.
const words = ["run", "--experimental.viteModuleRunner=false", "--project", "rooms", "--maxWorkers", "1"]
const running = spawn("vitest", [...words, "test/src/transcript/Transcript.test.ts"], {
  cwd,
  env: {
    ...process.env,
    NODE_V8_COVERAGE: counted,
    NODE_OPTIONS: `--conditions=@countersign/source --import=${dump}`,
  },
  stdio: ["ignore", "ignore", "inherit"],
})
const [code] = await once(running, "exit")

const sources = globSync(
  paths.map((path) => (path.endsWith(".ts") ? path : `${path}/**/*.ts`)),
  { cwd },
).toSorted()
const runs = new Map(
  sources.map((path) => {
    const text = readFileSync(new URL(path, root), "utf8")
    return [new URL(path, root).href, { path, text, isRun: new Uint8Array(text.length) }]
  }),
)
for (const name of readdirSync(counted)) {
  const { result }: Coverage = JSON.parse(readFileSync(join(counted, name), "utf8"))
  for (const { functions, url } of result) {
    const run = runs.get(url)
    if (run !== undefined) markRun(run.isRun, functions)
  }
}
rmSync(counted, { recursive: true })

const totals = new Map<string, number>()
let length = 0
let missing = 0
for (const { isRun, path, text } of runs.values()) {
  const pieces = piecesOf(text, isRun)
  for (const { code: piece, line } of pieces) console.log(`${path}:${line}: ${piece.slice(0, 200)}`)
  const folder = path.split("/").slice(0, 5).join("/")
  totals.set(folder, (totals.get(folder) ?? 0) + pieces.length)
  length += text.length
  missing += pieces.reduce((sum, { code: piece }) => sum + piece.length, 0)
}
for (const [folder, pieces] of totals) if (pieces > 0) console.log(`${String(pieces).padStart(5)} ${folder}`)
console.log(
  `${((100 * missing) / length).toFixed(1)} of 100 characters of ${sources.length} sources are run by no transcript`,
)
process.exitCode = Number(code)
