/**
 * Copies the renderer of the interactive reference from its package into `assets/renderer`, compressed. `npm ci` and `npm pack` run it.
 * Source: D-440.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { brotliCompressSync, constants } from "node:zlib"

const target = new URL("../assets/renderer/", import.meta.url)
const compressed = ["swagger-ui-bundle.js", "swagger-ui.css"]
const copied = ["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"]

const packagePath = () => {
  try {
    return createRequire(import.meta.url).resolve("swagger-ui-dist/package.json")
  } catch {
    return undefined
  }
}

const path = packagePath()
if (path === undefined) {
  console.log("swagger-ui-dist is not installed (a development dependency): /docs is the page without scripts")
} else {
  const { version } = JSON.parse(readFileSync(path, "utf8"))
  const versionFile = new URL("version", target)
  // The version is written last, so that a run that was interrupted is repeated.
  if (!existsSync(versionFile) || readFileSync(versionFile, "utf8") !== version) {
    const source = (name) => readFileSync(join(dirname(path), name))
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target, { recursive: true })
    for (const name of compressed) {
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      writeFileSync(new URL(`${name}.br`, target), brotliCompressSync(source(name), { params }))
    }
    for (const name of copied) writeFileSync(new URL(name, target), source(name))
    writeFileSync(versionFile, version)
  }
}
