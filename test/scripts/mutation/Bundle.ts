/**
 * Bundles the tests of one room with the sources that they test, mutants and all, into `.mutants/`: a run then loads a few
 * files instead of a thousand, which is most of what a mutant costs. Run by the mutation run in its copy of the repository.
 */
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"
import { type RoomName, rooms } from "../../src/mutation/Rooms.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const room = rooms[process.argv[2] as RoomName]

/** The repository of which this is a copy: there the packages are installed. */
const installed = fileURLToPath(new URL("../../", import.meta.resolve("vitest/package.json")))

/** The packages as they stand in this copy, with the mutants. */
const ofThisCopy: Plugin = {
  name: "of this copy",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^@countersign\// }, async ({ kind, path, pluginData }) => {
      if (pluginData === ofThisCopy) return undefined
      const found = await resolve(path, { kind, resolveDir: root, pluginData: ofThisCopy })
      return { ...found, path: join(root, relative(installed, found.path)) }
    })
  },
}

await build({
  absWorkingDir: root,
  entryPoints: room.tests.map((test) => `test/src/${test}.test.ts`),
  outdir: ".mutants",
  outbase: "test/src",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  conditions: ["@countersign/source"],
  external: ["vitest"],
  logLevel: "error",
  plugins: [ofThisCopy],
})
