/** The repository's own files as texts, without what is installed or built. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** A file by its path from the repository's root, with forward slashes. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const root = fileURLToPath(new URL("../../../", import.meta.url))

const notOurs = new Set(["node_modules", "dist", "coverage", ".git", ".countersign", ".stryker", ".temp"])

const builtSite = "packages/adapter-http/assets/site"

const walk = (folder: string): ReadonlyArray<string> =>
  readdirSync(root + folder, { withFileTypes: true })
    // The site's sources are copied while it is built, and what was built is replaced.
    .filter(({ name }) => !notOurs.has(name) && !name.startsWith(".work-") && `${folder}${name}` !== builtSite)
    .flatMap((entry) =>
      entry.isDirectory() ? walk(`${folder}${entry.name}/`) : entry.isFile() ? [folder + entry.name] : [],
    )

/** Whether bytes are a text. What is compressed has any word, sooner or later. */
export const isText = (bytes: Uint8Array): boolean => !bytes.includes(0)

const read = (path: string): ReadonlyArray<SourceFile> => {
  const bytes = readFileSync(root + path)
  return isText(bytes) ? [{ path, text: bytes.toString("utf8") }] : []
}

/** Every text of the repository but build information. */
export const everyFile = (): ReadonlyArray<SourceFile> =>
  walk("")
    .filter((path) => !path.endsWith(".tsbuildinfo"))
    .flatMap(read)

/** The TypeScript sources of the packages and of the tests. */
export const sources = (): ReadonlyArray<SourceFile> =>
  everyFile().filter(({ path }) => path.endsWith(".ts") && /^(?:packages|test)\//u.test(path))

/** Whether a path is a source of a package. */
export const isPackageSource = (path: string): boolean => /^packages\/[^/]+\/src\//u.test(path)
