/**
 * A checkout of the committed state beside the working folder, with the same installed packages: what a release is made from.
 * Source: D-541.
 */
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { execute, repository } from "../packages/Packed.ts"

export interface Checkout extends AsyncDisposable {
  readonly folder: string
}

/** Workspaces that have packages of their own. */
const installedIn = ["", "test", "examples/generated-client"]

/** Clones the commit, and links the installed packages file by file: links of workspaces then lead to the clone. */
export const checkOut = async (): Promise<Checkout> => {
  const parent = await mkdtemp(join(tmpdir(), "countersign-release-"))
  const folder = join(parent, "repository")
  await execute("git", ["clone", "--quiet", "--no-local", repository, folder], { cwd: parent })
  for (const workspace of installedIn) {
    const from = join(repository, workspace, "node_modules")
    if (!existsSync(from)) continue
    const to = join(folder, workspace, "node_modules")
    await mkdir(dirname(to), { recursive: true })
    await execute("cp", ["-al", from, to], { cwd: parent })
  }
  return { folder, [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }) }
}

/** Returns changed and unknown files of the working folder. */
export const changedFiles = async (): Promise<ReadonlyArray<string>> => {
  const printed = await execute("git", ["status", "--porcelain"], { cwd: repository })
  return printed.split("\n").filter((line) => line !== "")
}
