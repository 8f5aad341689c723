/** A checkout of another commit of this repository in a temporary folder, with its dependencies installed. */
import { execFile } from "node:child_process"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { repository } from "./Child.ts"

const run = promisify(execFile)

export interface Checkout extends AsyncDisposable {
  readonly folder: string
  /** The commit's short id. */
  readonly name: string
}

/** Checks the commit out and runs `npm ci` in it. The checkout is removed when it is disposed of. */
export const checkout = async (commit: string): Promise<Checkout> => {
  const git = (...words: ReadonlyArray<string>) => run("git", words, { cwd: repository })
  const name = (await git("rev-parse", "--short", "--verify", `${commit}^{commit}`)).stdout.trim()
  const folder = join(await mkdtemp(join(tmpdir(), "countersign-")), name)
  await git("worktree", "add", "--detach", folder, name)
  const remove = async () => {
    await git("worktree", "remove", "--force", folder)
  }
  try {
    await run("npm", ["ci", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: folder })
  } catch (error) {
    await remove()
    throw error
  }
  return { folder, name, [Symbol.asyncDispose]: remove }
}
