/** The packed packages, installed by npm in an empty project, and run there. */
import { cp, mkdir, writeFile } from "node:fs/promises"
import { basename, dirname, join, relative } from "node:path"
import { execute, type Manifest, manifestOf, repository } from "../packages/Packed.ts"

const lastLine = "403 FORBIDDEN perTransactionLimit"

/** The authority of a proxy between this machine and the registry. */
const authority = process.env["NODE_EXTRA_CA_CERTS"]
const env = authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: authority }

/**
 * Installs the tarballs without their install scripts, and rejects if npm finds a dependency that is missing or invalid. The lockfile names no
 * host, so that another installation may use a mirror.
 */
export const installTarballs = async (folder: string, tarballs: ReadonlyMap<string, Manifest>): Promise<string> => {
  await mkdir(folder, { recursive: true })
  const { devDependencies = {} } = await manifestOf(repository)
  const dependencies: Record<string, string> = { effect: devDependencies["effect"] ?? "" }
  const overrides: Record<string, string> = {}
  for (const [path, { name }] of tarballs) {
    const copy = join(dirname(folder), basename(path))
    await cp(path, copy)
    dependencies[name] = `file:${relative(folder, copy)}`
    // Without it npm asks the registry for each, which does not have this version yet.
    overrides[name] = `$${name}`
  }
  const manifest = { name: "installed", private: true, type: "module", dependencies, overrides }
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
  const words = ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"]
  await execute("npm", [...words, "--omit-lockfile-registry-resolved"], { cwd: folder, env })
  const printed = await execute("npm", ["ls", "--all", "--parseable"], { cwd: folder })
  return `${printed.trim().split("\n").length - 1} packages`
}

/** Runs the command and an example of the installed packages. */
export const smokeTest = async (folder: string, version: string): Promise<string> => {
  const found = await execute(join(folder, "node_modules/.bin/countersign"), ["--version"], { cwd: folder })
  if (!found.includes(version)) throw new Error(`countersign --version prints ${found.trim()}, not ${version}`)
  await cp(join(repository, "examples/promise/src"), join(folder, "src"), { recursive: true })
  const printed = await execute("node", ["src/main.ts"], { cwd: folder })
  if (printed.trim().split("\n").at(-1) !== lastLine) throw new Error(`the example promise prints ${printed}`)
  return `${found.trim()}; the example promise ends with ${lastLine}`
}
