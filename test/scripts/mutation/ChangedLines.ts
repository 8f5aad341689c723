/** The lines that differ from a commit, as Stryker names them: `packages/core/src/model/card/Card.ts:3-9`. */
import { execFileSync } from "node:child_process"

/** Returns the ranges of lines that a difference without context adds. */
export const rangesIn = (difference: string): ReadonlyArray<string> => {
  let path = ""
  return difference.split("\n").flatMap((line) => {
    path = /^\+\+\+ b\/(.*)$/u.exec(line)?.[1] ?? path
    const [, first, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/u.exec(line) ?? []
    return first === undefined || count === "0" ? [] : [`${path}:${first}-${Number(first) + Number(count) - 1}`]
  })
}

export const changedLines = (commit: string): ReadonlyArray<string> =>
  rangesIn(execFileSync("git", ["diff", "--unified=0", commit, "--", "packages"], { encoding: "utf8" }))
