/** The documents of the interface, which a thread of their own makes. Source: D-511. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import * as Documents from "../../../packages/adapter-http/src/server/Documents.ts"
import * as DocumentTexts from "../../../packages/adapter-http/src/server/DocumentTexts.ts"

const options = { isLive: false, basePath: "/2025-10-13", serviceName: "Service" }

const textsOf = ({ document, page, samples }: Documents.Documents) =>
  [document, page, samples].map((made) => (typeof made === "string" ? made : Buffer.from(made).toString()))

const threadFile = (): URL => {
  const file = Documents.workerFile()
  if (file === undefined) throw new Error("the program of the thread is missing")
  return file
}

it.each([
  ["a sandbox", options],
  ["a live service with another name at another place", { isLive: true, basePath: "", serviceName: "Acme" }],
])("of %s are the ones of its tables", async (_what, of) => {
  const made = await Documents.makeInThread(threadFile(), of)
  expect(Object.values(made).every((each) => each instanceof Uint8Array)).toBe(true)
  expect(textsOf(made)).toEqual(textsOf(DocumentTexts.make(of)))
})

it.each([
  ["is left out of a bundle", undefined],
  ["cannot be started", pathToFileURL("/nowhere/DocumentWorker.js")],
])("are made without the thread where its program %s", async (_what, file) => {
  const made = await Documents.makeBy(file, options)
  expect(Object.values(made).every((each) => typeof each === "string")).toBe(true)
  expect(textsOf(made)).toEqual(textsOf(DocumentTexts.make(options)))
})

it("are made without the thread where it ends early", async () => {
  const folder = await mkdtemp(join(tmpdir(), "documents-"))
  const file = join(folder, "Ends.mjs")
  await writeFile(file, "process.exit(0)")
  const made = await Documents.makeBy(pathToFileURL(file), options)
  expect(textsOf(made)).toEqual(textsOf(DocumentTexts.make(options)))
  await rm(folder, { recursive: true })
})

it("are made once for services of one kind, and anew for another kind", async () => {
  const ofSandbox = Documents.make(options)
  expect(Documents.make({ ...options })).toBe(ofSandbox)
  const live = { ...options, isLive: true }
  expect(textsOf(await Documents.make(live))).toEqual(textsOf(DocumentTexts.make(live)))
  expect(textsOf(await Documents.make(options))).toEqual(textsOf(await ofSandbox))
})
