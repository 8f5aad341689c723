/** Where a deployment keeps everything: what `--store` may say. */
import { Redacted } from "effect"

export type StorePlace =
  | { readonly _tag: "Memory" }
  /** PostgreSQL in this process, in a folder. */
  | { readonly _tag: "Folder"; readonly folder: string }
  /** A PostgreSQL server; the address may hold a password. */
  | { readonly _tag: "Server"; readonly url: Redacted.Redacted }

export const storeDefault = "pglite:./.countersign"

const folderPrefix = "pglite:"

/** `undefined`: it says none of these. */
export const parseStore = (given: string): StorePlace | undefined => {
  if (given === "memory") return { _tag: "Memory" }
  if (given.startsWith(folderPrefix) && given.length > folderPrefix.length) {
    return { _tag: "Folder", folder: given.slice(folderPrefix.length) }
  }
  return /^postgres(?:ql)?:\/\//u.test(given) && URL.canParse(given)
    ? { _tag: "Server", url: Redacted.make(given) }
    : undefined
}

/** For a person to read: an address without its password, and without the parameters, which may hold one too. */
export const placeName = (place: StorePlace): string => {
  if (place._tag === "Memory") return "memory"
  if (place._tag === "Folder") return place.folder
  const { host, pathname, protocol, searchParams, username } = new URL(Redacted.value(place.url))
  const user = username === "" ? "" : `${username}@`
  return `${protocol}//${user}${searchParams.get("host") ?? host}${pathname}`
}
