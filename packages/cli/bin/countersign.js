#!/usr/bin/env node
/**
 * Starts the command line: the bundle, whose compiled code is kept in the user's cache folder. With `--ports`, the separate modules,
 * so that the service and the embedder's module share one `effect`.
 * Source: D-432.
 */
import { existsSync, readFileSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { argv, env, execArgv } from "node:process"
import { setFlagsFromString } from "node:v8"

// One function of PGlite takes 600 megabytes to optimize, and half a second of a processor at each start. Source: D-507.
setFlagsFromString("--no-wasm-dynamic-tiering")
setFlagsFromString("--no-wasm-tier-up")
// The garbage of loading would grow the space of young objects by thirty megabytes that are not given back. Source: D-506.
setFlagsFromString("--semi-space-growth-factor=1")

/** The folder of caches; `undefined` for a user without a home, such as a container's. */
const cacheFolder = () => {
  try {
    return env["XDG_CACHE_HOME"] || join(homedir(), ".cache")
  } catch {
    return undefined
  }
}

const cache = cacheFolder()
if (cache !== undefined) enableCompileCache(join(cache, "countersign"))

const bundle = new URL("../bundle/", import.meta.url)
const environmentFile = "countersign.env"

const isPortsNamed = () =>
  argv.some((word) => /^--ports(?:=|$)/u.test(word)) ||
  env["COUNTERSIGN_PORTS"] !== undefined ||
  (existsSync(environmentFile) &&
    /^\s*(?:export\s+)?COUNTERSIGN_PORTS\s*=/mu.test(readFileSync(environmentFile, "utf8")))

/** The bundle's entry; `undefined` if none was made. */
const bundled = () => {
  const current = new URL("current.json", bundle)
  return existsSync(current) ? new URL(JSON.parse(readFileSync(current, "utf8")).main, bundle) : undefined
}

/** The repository's start script names the condition by which packages import each other's sources. */
const separate = () =>
  execArgv.some((word) => word.includes("@countersign/source")) ? "../src/main.ts" : "../dist/main.js"

await import(String((isPortsNamed() ? undefined : bundled()) ?? new URL(separate(), import.meta.url)))
// By then a server has loaded, and a longer command needs the space.
setTimeout(() => setFlagsFromString("--semi-space-growth-factor=2"), 1000).unref()
