/** The packed packages, installed by npm in an empty project, and run there. */
import { cp, mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { execute, manifestOf, repository } from "../packages/Packed.ts"

const lastLine = "403 FORBIDDEN perTransactionLimit"

/** Installs the tarballs without their install scripts, and rejects if npm finds a dependency that is missing or invalid. */
export const installTarballs = async (folder: string, tarballs: ReadonlyArray<string>): Promise<string> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { devDependencies = {} } = await manifestOf(repository)
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }))
  const words = ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--save-prod"]
  await execute("npm", [...words, ...tarballs, `effect@${devDependencies["effect"]}`], { cwd: folder })
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
