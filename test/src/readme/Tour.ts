/** Runs the scripts of the README against a server, one after another in one shell, and returns the output of each. */
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { eventually } from "../e2e/Deadline.ts"
import { binaries, repository } from "../e2e/ServerProcess.ts"

/** Removes trailing spaces, which do not count. */
export const trimmed = (lines: string): string => lines.replace(/ +$/gmu, "").trim()

/** Separates the steps in the shell's output. */
const mark = "-- next --"

/**
 * Runs the scripts in order in one shell of the repository, and always cleans up. `store` is the store of the command line's commands.
 */
export const tour = async (base: string, scripts: ReadonlyArray<string>, store = "memory") => {
  const shell = spawn("bash", ["-euo", "pipefail", "-c", scripts.join(`\necho '${mark}'\n`)], {
    env: { PATH: `${binaries}:${process.env["PATH"] ?? ""}`, BASE: base, STORE: store },
    cwd: repository,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  })
  const output = Promise.all([text(shell.stdout), text(shell.stderr)])
  try {
    const hasEnded = (code: number | null) => code !== null
    const code = await eventually("the tour", () => shell.exitCode, hasEnded, 60_000)
    const [stdout, stderr] = await output
    return { code, stdout: stdout.split(mark).map(trimmed), stderr }
  } finally {
    if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL")
  }
}
