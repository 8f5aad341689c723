/**
 * Gives the mutation run's copy of the repository the installed modules, with its own packages in place of the original ones. The run executes it
 * in the copy, and names the original. Each module is a link, so that the copy has a cache of its own.
 */
import { cpSync, globSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"

const [installed = ""] = process.argv.slice(2)

/** Links each module of a folder, those with a scope one by one. */
const link = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(join(installed, folder))) {
    const path = join(folder, name)
    if (path === "node_modules/@countersign" || name === ".cache") continue
    if (name.startsWith("@")) link(path)
    else symlinkSync(join(installed, path), path)
  }
}

const copy = (path: string) => cpSync(join(installed, path), path, { recursive: true, verbatimSymlinks: true })

link("node_modules")
link("test/node_modules")
// Links into the packages of whichever repository they are in.
copy("node_modules/@countersign")
// What the installation makes, and no commit has.
for (const path of globSync("packages/*/assets", { cwd: installed })) copy(path)
