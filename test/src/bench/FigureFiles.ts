/** The files of the recorded figures: the list and its picture, and the commit that is measured. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { repository } from "./Child.ts"
import type { RecordedFigure } from "./Figures.ts"
import { figuresPicture } from "./FiguresPicture.ts"
import { machine } from "./Machine.ts"

const folder = join(repository, "docs/performance")
export const listPath = join(folder, "figures.json")
export const picturePath = join(folder, "figures.svg")

/** A line for each record, so that a change of the file shows what was added. */
export const listText = (recorded: ReadonlyArray<RecordedFigure>): string =>
  recorded.length === 0 ? "[]\n" : `[\n${recorded.map((one) => `  ${JSON.stringify(one)}`).join(",\n")}\n]\n`

export const recordedFigures = (): ReadonlyArray<RecordedFigure> =>
  existsSync(listPath) ? (JSON.parse(readFileSync(listPath, "utf8")) as ReadonlyArray<RecordedFigure>) : []

/** Appends the figures of a run and draws the picture. */
export const record = (measured: ReadonlyArray<RecordedFigure>): void => {
  const all = [...recordedFigures(), ...measured]
  mkdirSync(folder, { recursive: true })
  writeFileSync(listPath, listText(all))
  writeFileSync(picturePath, figuresPicture(all))
}

const git = (...words: ReadonlyArray<string>): string =>
  execFileSync("git", words, { cwd: repository, encoding: "utf8" })

/** This commit, with `+` if files were changed since; the day and the machine. */
export const thisRun = (): Pick<RecordedFigure, "commit" | "date" | "machine"> => ({
  commit: `${git("rev-parse", "--short=10", "HEAD").trim()}${git("status", "--porcelain").trim() === "" ? "" : "+"}`,
  date: new Date().toISOString().slice(0, 10),
  machine: machine(),
})
