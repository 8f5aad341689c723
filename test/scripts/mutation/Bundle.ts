/**
 * Bundles the tests of one room with the mutated sources into one script that can be evaluated repeatedly. The mutation run
 * executes it in its copy of the repository.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build, type Plugin, transform } from "esbuild"
import { roomNamed } from "../../src/mutation/Areas.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** The path of the bundle in the copy. */
export const bundleName = ".mutants.cjs"

/** The original repository, in which the packages are installed. */
const installed = fileURLToPath(new URL("../../", import.meta.resolve("vitest/package.json")))

/** Resolves the packages of this repository to the mutated copy, and all others to the installed ones. */
const ofThisCopy: Plugin = {
  name: "of this copy",
  setup: ({ onLoad, onResolve, resolve }) => {
    // The published suites detect their test runner asynchronously, which a script cannot await; here it is always this one.
    onLoad({ filter: /\/runner\/Runner\.ts$/ }, () => ({ contents: 'export { describe, it } from "vitest"' }))
    // A script has no address of its own: each source keeps that of its file.
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
      loader: "ts",
    }))
    // The tests of databases among those of a file are left out.
    onResolve({ filter: /\/TestDatabase\.ts$/ }, () => ({ path: join(root, "test/scripts/mutation/NoDatabase.ts") }))
    onResolve({ filter: /^[^.]/ }, async ({ kind, path, pluginData }) => {
      if (kind === "entry-point" || pluginData === ofThisCopy) return undefined
      if (!path.startsWith("@countersign/")) return { path, external: true }
      const found = await resolve(path, { kind, resolveDir: root, pluginData: ofThisCopy })
      return { ...found, path: join(root, relative(installed, found.path)) }
    })
  },
}

/** Bundles these tests into one script, whose `files` load each of them, and names the sources of each. A file may wait while it loads. */
export const bundle = async (tests: ReadonlyArray<string>) => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `export const files = { ${tests.map((test) => `"${test}": () => import("./test/src/${test}.test.ts")`).join(", ")} }`,
      resolveDir: root,
    },
    outfile: bundleName,
    write: false,
    metafile: true,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    conditions: ["@countersign/source"],
    logLevel: "error",
    plugins: [ofThisCopy],
  })
  // Only modules can contain such files; the bundle loads each in a function, so that it can become a script itself.
  const { code } = await transform(outputFiles.map(({ text }) => text).join(""), { format: "cjs", platform: "node" })
  return { text: code, imports: metafile.inputs }
}

if (import.meta.main) writeFileSync(bundleName, (await bundle(roomNamed(process.argv[2] ?? "").tests)).text)
