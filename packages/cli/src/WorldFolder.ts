/**
 * Saved worlds in the folder of a store, beside its database: a file for each, and one with the name of the present world. A file is
 * replaced by a rename, so that a process that ends meanwhile leaves the old one or the new one.
 * Source: D-470.
 */
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { type SavedWorlds, SavedWorldsUnavailable } from "@countersign/core/ports"
import { Effect } from "effect"

const ending = ".world"

const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => new SavedWorldsUnavailable({ cause }) })

const unlessAbsent = <A>(read: Promise<A>): Promise<A | undefined> =>
  read.catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  })

/** Writes a file so that it is complete under its name, also after a loss of power. */
const replaceFile = async (folder: string, name: string, text: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const temporary = join(folder, `${name}.new`)
  const file = await open(temporary, "w", 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, join(folder, name))
}

/** Reads the first line of a file. */
const headerIn = async (path: string): Promise<string> => {
  const file = await open(path)
  try {
    for await (const line of file.readLines({ autoClose: false })) return line
    return ""
  } finally {
    await file.close()
  }
}

export const make = (storeFolder: string): SavedWorlds => {
  const folder = join(storeFolder, "worlds")
  const pathOf = (name: string) => join(folder, `${name}${ending}`)
  return {
    list: attempt(async () => {
      const files = (await unlessAbsent(readdir(folder))) ?? []
      const names = files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length))
      return Promise.all(names.map(async (name) => ({ name, header: await headerIn(pathOf(name)) })))
    }),
    read: (name) =>
      attempt(async () => {
        const text = await unlessAbsent(readFile(pathOf(name), "utf8"))
        if (text === undefined) return undefined
        const end = text.indexOf("\n")
        return { header: text.slice(0, end), state: text.slice(end + 1) }
      }),
    write: (name, { header, state }) => attempt(() => replaceFile(folder, `${name}${ending}`, `${header}\n${state}`)),
    remove: (name) => attempt(() => rm(pathOf(name), { force: true })),
    current: attempt(async () => (await unlessAbsent(readFile(join(folder, "current"), "utf8"))) || undefined),
    setCurrent: (name) => attempt(() => replaceFile(folder, "current", name ?? "")),
  }
}
