/**
 * Mutation testing of the core's machines, rules, policy and ledger. `npm run mutate`, or `npm run mutate -- card quote`.
 */
import { fileURLToPath } from "node:url"
import { Stryker } from "@stryker-mutator/core"
import { type Room, type RoomName, rooms } from "../src/mutation/Rooms.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
process.chdir(root)

const wanted = process.argv.slice(2)
const isRoom = (name: string): name is RoomName => name in rooms
const names = wanted.length === 0 ? Object.keys(rooms).filter(isRoom) : wanted.filter(isRoom)

for (const name of names) {
  const { sources }: Room = rooms[name]
  const began = Date.now()
  const results = await new Stryker({
    mutate: process.env["ONLY"]
      ? process.env["ONLY"].split(",")
      : sources.map((source) => `packages/core/src/${source}`),
    testRunner: "room",
    plugins: ["Runner", "Ignorer"].map((plugin) => `${root}test/scripts/mutation/${plugin}.ts`),
    ignorers: ["names and documents"],
    buildCommand: `node --conditions=@countersign/source test/scripts/mutation/Bundle.ts ${name}`,
    coverageAnalysis: "perTest",
    // The tables are built when their modules load: a mutant of them is static, and counts.
    ignoreStatic: false,
    concurrency: Number(process.env["COUNTERSIGN_MUTATION_WORKERS"] ?? 1),
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: `.stryker/${name}.json` },
    tempDirName: `.stryker/copy-${name}`,
    cleanTempDir: "always",
    ignorePatterns: ["examples", "docs", "dist", "*.tsbuildinfo", ".stryker", ".git"],
    // There is nothing to rewrite in it, and the native compiler has none of the functions that would do it.
    tsconfigFile: "none",
    timeoutMS: 20_000,
    timeoutFactor: 4,
    warnings: false,
    allowConsoleColors: false,
  }).runMutationTest()
  const by: Record<string, number> = {}
  for (const { status } of results) by[status] = (by[status] ?? 0) + 1
  console.log(name, JSON.stringify(by), Math.round((Date.now() - began) / 1000), "s")
}
