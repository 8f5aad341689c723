/** The folder of one run of the tests: the document that all traffic is held against, and what was answered. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { OpenApiDocument } from "@countersign/adapter-http"
import { repository } from "../e2e/ServerProcess.ts"

export const trafficFolder = join(repository, "node_modules", ".cache", "traffic")
export const documentFile = join(trafficFolder, "document.json")
const runFile = join(trafficFolder, "run.json")

/** Begins a run with its document; a complete one runs every test. */
export const beginRun = (document: OpenApiDocument.JsonObject, isComplete: boolean): void => {
  rmSync(trafficFolder, { recursive: true, force: true })
  mkdirSync(trafficFolder, { recursive: true })
  writeFileSync(runFile, JSON.stringify({ isComplete }))
  writeFileSync(documentFile, JSON.stringify(document))
}

export const isRunComplete = (): boolean =>
  (JSON.parse(readFileSync(runFile, "utf8")) as { readonly isComplete: boolean }).isComplete

export const readDocument = (): OpenApiDocument.JsonObject => JSON.parse(readFileSync(documentFile, "utf8"))

/** The lines that the processes of the run noted. */
export const readLines = (): ReadonlyArray<string> =>
  readdirSync(trafficFolder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(trafficFolder, name), "utf8").split("\n"))
    .filter((line) => line !== "")
