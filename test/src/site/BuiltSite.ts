/** The documentation site as it was built into the assets of the HTTP adapter. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { brotliDecompressSync } from "node:zlib"
import { execute, repository } from "../packages/Packed.ts"

const folder = join(repository, "packages/adapter-http/assets/site")

export interface BuiltSite {
  readonly files: ReadonlyArray<string>
  readonly read: (path: string) => string
}

/** Builds it, if its sources have changed since. */
export const builtSite = async (): Promise<BuiltSite> => {
  await execute("node", ["site/scripts/build.ts"], { cwd: repository })
  const { files }: { readonly files: ReadonlyArray<string> } = JSON.parse(
    readFileSync(join(folder, "site.json"), "utf8"),
  )
  return { files, read: (path) => brotliDecompressSync(readFileSync(join(folder, `${path}.br`))).toString() }
}
