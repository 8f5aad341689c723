/**
 * Names every package that an installation of one package brings along: its dependencies and required peers, and theirs.
 * Source: architecture, "Layers are folders".
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Manifest, manifestOf, published, repository } from "./Packed.ts"

/** The folder of a package as Node finds it from another package's folder. */
const folderOf = (from: string, name: string): string | undefined => {
  const folder = join(from, "node_modules", name)
  if (existsSync(join(folder, "package.json"))) return folder
  return from === repository || from === dirname(from) ? undefined : folderOf(dirname(from), name)
}

const required = ({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: Manifest) => [
  ...Object.keys(dependencies),
  ...Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true),
]

/** Returns the names in order, without the package itself; a package that is not installed is an error. */
export const dependencyClosure = async (name: string): Promise<ReadonlyArray<string>> => {
  const workspaces = await published()
  const manifests = await Promise.all(workspaces.map(manifestOf))
  const workspaceOf = new Map(workspaces.map((folder, at) => [manifests[at]?.name, folder]))
  const found = new Set<string>()
  const visit = async (folder: string): Promise<void> => {
    for (const dependency of required(await manifestOf(folder))) {
      if (found.has(dependency)) continue
      found.add(dependency)
      const at = workspaceOf.get(dependency) ?? folderOf(folder, dependency)
      if (at === undefined) throw new Error(`${folder} needs ${dependency}, which is not installed`)
      await visit(at)
    }
  }
  await visit(workspaceOf.get(name) ?? "")
  return [...found].toSorted()
}
