/**
 * The seeds that every run of the tests repeats: few of a long search, which together reach what all of it reached. A change of what clients
 * do gives a seed another run, so that the sample is taken anew from time to time: `npm run simulate -- --runs 20000 --sample 120`.
 */
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

const file = fileURLToPath(new URL("sample.json", import.meta.url))

export interface Sample {
  /** The number of runs that it was taken from. */
  readonly runs: number
  readonly seeds: ReadonlyArray<number>
}

export const readSample = (): Sample => JSON.parse(readFileSync(file, "utf8"))

export const writeSample = (sample: Sample): Promise<void> => writeFile(file, `${JSON.stringify(sample)}\n`)
