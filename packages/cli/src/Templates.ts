/** Reads the files that the package has for `countersign init --live`, and its own manifest. Source: D-534. */
import { readFileSync } from "node:fs"

/** The folder has the same place beside the sources, the build and the bundle. */
const templates = new URL("../templates/", import.meta.url)

export const template = (name: string): string => readFileSync(new URL(name, templates), "utf8")

interface Manifest {
  readonly version: string
  readonly peerDependencies: { readonly effect: string }
}

export const manifest = (): Manifest => JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
