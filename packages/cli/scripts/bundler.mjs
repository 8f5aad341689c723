/**
 * Bundles a program from the sources. Files are named for their content, and `current.json` is written last, so a start beside a build
 * finds a whole one.
 * Source: D-432.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Writes a file as a whole: a reader sees the old one or the new one. */
const replace = (path, contents) => {
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, contents)
  renameSync(temporary, path)
}

const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined)

const stampOf = (path) => {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  return stats === undefined ? "" : `${stats.mtimeMs} ${stats.size}`
}

/** What a bundle is depends on this file as on its sources. */
const bundler = relative(root, fileURLToPath(import.meta.url))

/** Whether a bundle was made from the sources of now, by the time and size of each. */
const isCurrent = (folder) => {
  const stamps = read(join(folder, "sources.json"))
  return stamps?.[bundler] !== undefined && Object.entries(stamps).every(([path, stamp]) => stamp === stampOf(path))
}

/** The pages for which a caller of `effect` may ask; nothing here does, and they are five megabytes. */
const unusedPages = {
  name: "unused-pages",
  setup: ({ onResolve }) =>
    onResolve({ filter: /httpApi(?:Scalar|Swagger)/ }, ({ path }) => ({ path, external: true })),
}

/**
 * An import of `node:http` reads all that the module exports. Node then loads its client of WebSockets, in a fourteenth of a start. A bundle
 * requires the module, and so reads what it uses.
 * Source: D-547.
 */
const requiredHttp = {
  name: "required-http",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^node:http$/ }, ({ kind, path }) =>
      kind === "import-statement" ? { path, namespace: "required" } : { path, external: true },
    )
    onLoad({ filter: /./, namespace: "required" }, ({ path }) => ({ contents: `module.exports = require("${path}")` }))
  },
}

/** A package finds its own files from its sources' place, which is not that of the bundle. */
const ownPlaces = {
  name: "own-places",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const [, name, place] = /\/packages\/([^/]+)\/src\/(.*)$/u.exec(path)
      const text = readFileSync(path, "utf8")
      // The program of a thread lies in the bundle.
      if (name === "cli" || !text.includes("import.meta.url") || text.includes("new Worker(")) return undefined
      const url = `new URL("${place}", import.meta.resolve("@countersign/${name}")).href`
      return { contents: text.replaceAll("import.meta.url", url), loader: "ts" }
    }),
}

/** The licences of the packages whose code a bundle of these inputs has; our own packages name what their sources contain. */
export const licencesOf = (inputs) => {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(path) ?? [])
  const own = inputs.flatMap((path) => /^packages\/[^/]+(?=\/)/u.exec(path) ?? [])
  const notices = [...new Set(own)]
    .map((path) => join(root, path, "NOTICES.txt"))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, "utf8"))
  const installed = [...new Set(folders)].toSorted().map((path) => {
    const { license, name, version } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"))
    const file = readdirSync(join(root, path)).find((each) => /^licen[cs]e/iu.test(each))
    const text = file === undefined ? "" : readFileSync(join(root, path, file), "utf8").trim()
    return `${name} ${version}: ${license}\n\n${text}\n`
  })
  return [...installed, ...notices]
}

/** Longer than a build takes. */
const youngMillis = 60_000

const bundle = async ({ entry, folder, threads = {} }) => {
  const { build } = await import("esbuild")
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { main: entry, ...threads },
    entryNames: "[name]-[hash]",
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.19",
    conditions: ["@countersign/source", "module"],
    // PGlite and the keys' adapter read files beside their own; pg tries its native part, which nobody installs.
    external: ["@electric-sql/pglite", "@countersign/adapter-keys", "pg-native"],
    plugins: [unusedPages, requiredHttp, ownPlaces],
    legalComments: "none",
    // A process keeps the text of what it has loaded: without its layout it is six megabytes less. Names stay, for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 200,
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    metafile: true,
    write: false,
    logLevel: "warning",
  })
  const inputs = Object.keys(metafile.inputs)
  const sources = [...inputs.filter((path) => !path.includes("node_modules")), "package-lock.json", bundler]
  const stamps = Object.fromEntries(sources.map((path) => [path, stampOf(path)]))
  // Who starts a thread knows the name of its program, whose parts are named for their content.
  const isThread = (name) => Object.keys(threads).some((thread) => name.startsWith(`${thread}-`))
  const nameOf = (path) => {
    const name = relative(folder, path)
    return isThread(name) ? name.replace(/-\w+\.js$/u, ".js") : name
  }
  const files = outputFiles.map(({ path }) => nameOf(path))
  const old = read(join(folder, "current.json"))?.files ?? []
  mkdirSync(folder, { recursive: true })
  for (const { contents, path } of outputFiles) replace(join(folder, nameOf(path)), contents)
  replace(join(folder, "LICENSES.txt"), licencesOf(inputs).join("\n"))
  const main = files.find((name) => name.startsWith("main-"))
  replace(join(folder, "current.json"), JSON.stringify({ main, files }))
  replace(join(folder, "sources.json"), JSON.stringify(stamps))
  // A process that runs may still load a part of the build before this one, but none before that.
  const kept = new Set([...files, ...old, "current.json", "sources.json", "LICENSES.txt"])
  // A young file may be that of another process, which is not done.
  const limit = Date.now() - youngMillis
  const isOld = (name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? limit) < limit
  for (const name of readdirSync(folder)) {
    if (!kept.has(name) && isOld(name)) rmSync(join(folder, name), { force: true })
  }
}

/** The entry of a bundle; `undefined` if none was made. */
export const entryOf = (folder) => {
  const current = read(join(folder, "current.json"))
  return current === undefined ? undefined : join(folder, current.main)
}

/**
 * Bundles the program `entry` into `folder`, if its sources have changed; `threads` are the programs of its threads, by the names of their
 * files. Without the bundler, a development dependency, there is no bundle.
 */
export const updateBundle = async ({ entry, folder, threads }) => {
  if (isCurrent(folder)) return
  try {
    await bundle({ entry, folder, threads })
  } catch (error) {
    if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error
    rmSync(folder, { recursive: true, force: true })
  }
}
