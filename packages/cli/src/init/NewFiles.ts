/**
 * Writes the files of `countersign init`: all of them, or none. It replaces no file.
 * Source: D-458, D-534.
 */
import { constants, existsSync } from "node:fs"
import { copyFile, link, mkdir, mkdtemp, rename, rm, rmdir, writeFile } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { Effect } from "effect"
import { negativeAnswer, usageError } from "../CommandError.ts"

export interface NewFile {
  /** The path below the folder, with forward slashes. */
  readonly name: string
  readonly content: string
  /** `0o600` for secrets. */
  readonly mode?: number
}

/** Writes the files below a folder that nobody else uses. */
const writeInto = async (folder: string, files: ReadonlyArray<NewFile>): Promise<void> => {
  for (const { content, mode = 0o644, name } of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content, { flag: "wx", mode })
  }
}

/** Makes a folder with those above it. Returns the ones that did not exist, the innermost first. */
const makeFolders = async (folder: string): Promise<ReadonlyArray<string>> => {
  const first = await mkdir(folder, { recursive: true })
  const made: Array<string> = []
  for (let at = folder; first !== undefined && at.length >= first.length; at = dirname(at)) made.push(at)
  return made
}

/** Gives a file another name, unless that exists. Where a file cannot have two names, it is copied. */
const place = async (from: string, to: string): Promise<void> => {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw error

    await copyFile(from, to, constants.COPYFILE_EXCL)
  })
}

/** Adds the files to a folder that exists; if one of them cannot be placed, it takes away those before it with their folders. */
const addTo = async (folder: string, files: ReadonlyArray<NewFile>): Promise<void> => {
  const staging = await mkdtemp(join(folder, ".countersign-init-"))
  const placed: Array<string> = []
  const made: Array<string> = []
  try {
    await writeInto(staging, files)
    for (const { name } of files) {
      const to = resolve(folder, name)
      made.unshift(...(await makeFolders(dirname(to))))
      await place(join(staging, name), to)
      placed.push(to)
    }
  } catch (error) {
    for (const path of placed) await rm(path, { force: true })
    // One that holds something else by now stays.
    for (const path of made) await rmdir(path).catch(() => undefined)
    throw error
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** A new folder appears with all its files. */
const create = async (folder: string, files: ReadonlyArray<NewFile>): Promise<void> => {
  const target = resolve(folder)
  await mkdir(dirname(target), { recursive: true })
  const staging = await mkdtemp(join(dirname(target), `.${basename(target)}-`))
  try {
    await writeInto(join(staging, "new"), files)
    await rename(join(staging, "new"), target)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Writes all files, or none if one of them exists. */
export const writeNewFiles = Effect.fnUntraced(function* (folder: string, files: ReadonlyArray<NewFile>) {
  const existing = files.filter(({ name }) => existsSync(join(folder, name)))
  if (existing.length > 0) {
    const names = existing.map(({ name }) => name).join(", ")
    return yield* negativeAnswer(`${folder} has ${names} already: name another folder, or remove them`)
  }
  yield* Effect.tryPromise({
    try: () => (existsSync(folder) ? addTo(folder, files) : create(folder, files)),
    catch: (cause) => usageError(`${folder} cannot be written: ${cause instanceof Error ? cause.message : ""}`),
  })
})
