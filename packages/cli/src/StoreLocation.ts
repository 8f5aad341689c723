/** Where a deployment stores its data: the values of `--store`. */
import { Redacted } from "effect"

export type StoreLocation =
  | { readonly _tag: "Memory" }
  /** PostgreSQL inside this process, persisted in a folder. */
  | { readonly _tag: "Folder"; readonly folder: string }
  /** A PostgreSQL server. The address may contain a password. */
  | { readonly _tag: "Server"; readonly url: Redacted.Redacted }

export const storeDefault = "pglite:./.countersign"

const folderPrefix = "pglite:"

/** Returns `undefined` for any other value. */
export const parseStoreLocation = (option: string): StoreLocation | undefined => {
  if (option === "memory") return { _tag: "Memory" }
  if (option.startsWith(folderPrefix) && option.length > folderPrefix.length) {
    return { _tag: "Folder", folder: option.slice(folderPrefix.length) }
  }
  return /^postgres(?:ql)?:\/\//u.test(option) && URL.canParse(option)
    ? { _tag: "Server", url: Redacted.make(option) }
    : undefined
}

/** Returns a name for people: an address without its password, and without the parameters, which may contain one. */
export const locationName = (location: StoreLocation): string => {
  if (location._tag === "Memory") return "memory"
  if (location._tag === "Folder") return location.folder
  const { host, pathname, protocol, searchParams, username } = new URL(Redacted.value(location.url))
  const user = username === "" ? "" : `${username}@`
  return `${protocol}//${user}${searchParams.get("host") ?? host}${pathname}`
}
