/** The program of the thread that makes the documents. `Documents.ts` starts it. Source: D-511. */
import { parentPort, workerData } from "node:worker_threads"
import { type DocumentOptions, type DocumentTexts, make } from "./DocumentTexts.ts"

const options: DocumentOptions = workerData
const encoder = new TextEncoder()
const { document, page, samples } = make(options)
const made: DocumentTexts<Uint8Array<ArrayBuffer>> = {
  document: encoder.encode(document),
  page: encoder.encode(page),
  samples: encoder.encode(samples),
}
parentPort?.postMessage(
  made,
  Object.values(made).map(({ buffer }) => buffer),
)
