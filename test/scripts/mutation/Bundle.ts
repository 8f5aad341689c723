/**
 * Bundles the tests of one room with the sources that they test, mutants and all, into one script that can be evaluated again
 * and again. Run by the mutation run in its copy of the repository.
 */
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"
import { type RoomName, rooms } from "../../src/mutation/Rooms.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** Where it stands in the copy. */
export const bundleName = ".mutants.cjs"

/** The repository of which this is a copy: there the packages are installed. */
const installed = fileURLToPath(new URL("../../", import.meta.resolve("vitest/package.json")))

/** The packages of this repository as they stand in this copy, with the mutants; all others as they are installed. */
const ofThisCopy: Plugin = {
  name: "of this copy",
  setup: ({ onLoad, onResolve, resolve }) => {
    // The published suites look for whichever runner runs, and wait for it: a script cannot, and it is this one.
    onLoad({ filter: /\/runner\/Runner\.ts$/ }, () => ({ contents: 'export { describe, it } from "vitest"' }))
    onResolve({ filter: /^[^.]/ }, async ({ kind, path, pluginData }) => {
      if (kind === "entry-point" || pluginData === ofThisCopy) return undefined
      if (!path.startsWith("@countersign/")) return { path, external: true }
      const found = await resolve(path, { kind, resolveDir: root, pluginData: ofThisCopy })
      return { ...found, path: join(root, relative(installed, found.path)) }
    })
  },
}

const bundle = ({ tests }: { readonly tests: ReadonlyArray<string> }) =>
  build({
    absWorkingDir: root,
    stdin: {
      contents: `export const files = { ${tests.map((test) => `"${test}": () => require("./test/src/${test}.test.ts")`).join(", ")} }`,
      resolveDir: root,
    },
    outfile: bundleName,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    conditions: ["@countersign/source"],
    logLevel: "error",
    plugins: [ofThisCopy],
  })

if (import.meta.main) await bundle(rooms[process.argv[2] as RoomName])
