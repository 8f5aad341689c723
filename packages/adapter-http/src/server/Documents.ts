/**
 * The documents of the interface, made in a thread of their own, since this takes a quarter of a second in which nothing else would be
 * answered.
 * Source: D-511.
 */
import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import type { DocumentOptions, DocumentTexts } from "./DocumentTexts.ts"

export type Documents = DocumentTexts<string | Uint8Array>

/** The program of the thread beside this file: of the sources, the build or the bundle. `undefined` if another bundler has left it out. */
export const workerFile = (): URL | undefined =>
  ["./DocumentWorker.ts", "./DocumentWorker.js"]
    .map((name) => new URL(name, import.meta.url))
    .find((url) => existsSync(url))

/** Makes the documents in a thread with this program. */
export const makeInThread = (file: URL, options: DocumentOptions): Promise<Documents> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(file, {
      workerData: options,
      // It makes a few megabytes, once.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
      ...(file.pathname.endsWith(".ts") ? { execArgv: ["--conditions=@countersign/source"] } : {}),
    })
    worker.once("message", resolve)
    worker.once("error", reject)
    worker.once("exit", () => reject(new Error("the thread that makes the documents ended early")))
  })

const makeHere = async (options: DocumentOptions): Promise<Documents> =>
  (await import("./DocumentTexts.ts")).make(options)

/** Makes the documents, in this thread where there is no program for another, or none can start. */
export const makeBy = (file: URL | undefined, options: DocumentOptions): Promise<Documents> =>
  file === undefined ? makeHere(options) : makeInThread(file, options).catch(() => makeHere(options))

/** The latest ones. Most processes have one service, or several of the same kind. */
let latest: { readonly key: string; readonly documents: Promise<Documents> } | undefined

export const make = (options: DocumentOptions): Promise<Documents> => {
  const key = JSON.stringify(options)
  if (latest?.key !== key) latest = { key, documents: makeBy(workerFile(), options) }
  return latest.documents
}
