/** Where a deployment stores the bytes of its documents: the values of `--documents`. Source: D-421. */
import { Effect, Option } from "effect"
import { usageError } from "./CommandError.ts"
import { parseStoreLocation } from "./StoreLocation.ts"

export type DocumentsLocation =
  | { readonly _tag: "Memory" }
  /** A folder, which all processes of the deployment share. */
  | { readonly _tag: "Folder"; readonly folder: string }
  /** The database of `--store`. */
  | { readonly _tag: "Database" }
  | { readonly _tag: "Bucket"; readonly bucket: string }

const folderPrefix = "folder:"
const bucketPrefix = "s3:"

/** Returns `undefined` for any other value. */
const parse = (option: string): DocumentsLocation | undefined => {
  if (option === "memory") return { _tag: "Memory" }
  if (option === "postgres") return { _tag: "Database" }
  if (option.startsWith(folderPrefix) && option.length > folderPrefix.length) {
    return { _tag: "Folder", folder: option.slice(folderPrefix.length) }
  }
  return option.startsWith(bucketPrefix) ? { _tag: "Bucket", bucket: option.slice(bucketPrefix.length) } : undefined
}

/** The rule for values, after the name of the option or variable. */
export const documentsValues = "takes memory, folder:PATH, postgres or s3:BUCKET"

/** Without the option, documents are stored where the records are. Returns `undefined` if it or `--store` is not valid. */
export const parseDocumentsLocation = (
  documents: Option.Option<string>,
  store: string,
): DocumentsLocation | undefined => {
  if (Option.isSome(documents)) return parse(documents.value)
  const records = parseStoreLocation(store)
  if (records === undefined) return undefined
  return records._tag === "Memory" ? { _tag: "Memory" } : { _tag: "Database" }
}

/** Reads `--documents`. */
export const documentsLocation = (documents: Option.Option<string>, store: string) =>
  Effect.fromNullishOr(parseDocumentsLocation(documents, store)).pipe(
    Effect.mapError(() => usageError(`--documents ${documentsValues}`)),
  )
