/**
 * The file in a store's folder by which commands find the server that used the folder last. It contains no secret.
 * Source: D-458.
 */
import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Option, Schema } from "effect"
import type { StoreLocation } from "../StoreLocation.ts"

const fileName = "server.json"

const RememberedServer = Schema.Struct({
  /** Base address, with the base path. */
  server: Schema.String,
  clientId: Schema.String,
  serviceName: Schema.String,
})
export type RememberedServer = typeof RememberedServer.Type

const File = Schema.fromJsonString(RememberedServer)
const decode = Schema.decodeUnknownOption(File)
const encode = Schema.encodeSync(File)

/** Returns `undefined` if nothing is remembered, or if the file cannot be read. */
export const readRememberedServer = async (location: StoreLocation): Promise<RememberedServer | undefined> => {
  if (location._tag !== "Folder") return undefined
  const text = await readFile(join(location.folder, fileName), "utf8").catch(() => undefined)
  return Option.getOrUndefined(decode(text))
}

/** Replaces the file. Only a folder remembers. */
export const rememberServer = async (location: StoreLocation, server: RememberedServer): Promise<void> => {
  if (location._tag !== "Folder") return
  const path = join(location.folder, fileName)
  await writeFile(`${path}.new`, `${encode(server)}\n`)
  await rename(`${path}.new`, path)
}
