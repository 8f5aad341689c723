/** What tools of others say of a packed package: its manifest (publint), and whether its types are found (arethetypeswrong). */
import { readFile } from "node:fs/promises"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"

/** Every suggestion counts. */
export const problemsOfManifest = async (tarball: string): Promise<ReadonlyArray<string>> => {
  const bytes = new Uint8Array(await readFile(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true, level: "suggestion" })
  return messages.map((message) => `${tarball}: ${formatMessage(message, pkg, { color: false })}`)
}

/** The packages are modules, and have paths of their own: neither `require` before Node 22 nor resolution of before 2022 is meant. */
const notMeant = new Set(["node10", "node16-cjs"])

export const problemsOfTypes = async (tarball: string): Promise<ReadonlyArray<string>> => {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))))
  if (result.types === false) return [`${tarball}: it has no types`]
  return result.problems
    .filter((problem) => !("resolutionKind" in problem && notMeant.has(problem.resolutionKind)))
    .map((problem) => `${tarball}: ${JSON.stringify(problem)}`)
}
