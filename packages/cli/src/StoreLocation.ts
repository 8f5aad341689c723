/** Where a deployment stores its data: the values of `--store`. */
import { hostsOf } from "@countersign/adapter-postgres/preflight"
import { Redacted } from "effect"

export type StoreLocation =
  | { readonly _tag: "Memory" }
  /** PostgreSQL inside this process, persisted in a folder. */
  | { readonly _tag: "Folder"; readonly folder: string }
  /** A PostgreSQL server, or several hosts of which one is the primary. The address may contain a password. */
  | {
      readonly _tag: "Server"
      readonly url: Redacted.Redacted
      /** The server, where `url` is a pooler that shares its sessions. */
      readonly direct?: Redacted.Redacted
      /** The number of cells; absent: those that the store has, or one. */
      readonly cells?: number
    }

export const storeDefault = "pglite:./.countersign"

const folderPrefix = "pglite:"

/** Returns `undefined` for any other value. */
export const parseStoreLocation = (option: string): StoreLocation | undefined => {
  if (option === "memory") return { _tag: "Memory" }
  if (option.startsWith(folderPrefix) && option.length > folderPrefix.length) {
    return { _tag: "Folder", folder: option.slice(folderPrefix.length) }
  }
  return hostsOf(option) === undefined ? undefined : { _tag: "Server", url: Redacted.make(option) }
}

/** Returns a name for people: an address without its password, and without the parameters, which may contain one. */
export const locationName = (location: StoreLocation): string => {
  if (location._tag === "Memory") return "memory"
  if (location._tag === "Folder") return location.folder
  const urls = (hostsOf(Redacted.value(location.url)) ?? []).map((url) => new URL(url))
  const [{ pathname, protocol, username } = new URL("postgres://")] = urls
  const user = username === "" ? "" : `${username}@`
  return `${protocol}//${user}${urls.map(({ host, searchParams }) => searchParams.get("host") ?? host).join(",")}${pathname}`
}
