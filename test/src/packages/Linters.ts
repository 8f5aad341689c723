/** Problems of a packed package that other tools report: its manifest (publint) and the resolution of its types (arethetypeswrong). */
import { readFile } from "node:fs/promises"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"

/** Suggestions count as problems. */
export const problemsOfManifest = async (tarball: string): Promise<ReadonlyArray<string>> => {
  const bytes = new Uint8Array(await readFile(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true, level: "suggestion" })
  return messages.map((message) => `${tarball}: ${formatMessage(message, pkg, { color: false })}`)
}

/** The packages are ES modules with `exports`: they support neither `require` before Node 22 nor older resolution. */
const unsupported = new Set(["node10", "node16-cjs"])

export const problemsOfTypes = async (tarball: string): Promise<ReadonlyArray<string>> => {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))))
  if (result.types === false) return [`${tarball}: it has no types`]
  return result.problems
    .filter((problem) => !("resolutionKind" in problem && unsupported.has(problem.resolutionKind)))
    .map((problem) => `${tarball}: ${JSON.stringify(problem)}`)
}
