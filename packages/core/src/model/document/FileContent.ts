/**
 * What a document's file is: its type by its first bytes, and its name.
 * Source: wire contract areas 1.2.2 (the first bytes decide), 1.2.3 (`fileName`).
 */
import * as Table from "../../foundation/kit/Table.ts"

/** The first bytes of each type. The declared content type and the ending of the name do not count. */
const FileTypes = Table.make("FileTypes", {
  pdf: [0x25, 0x50, 0x44, 0x46, 0x2d],
  jpeg: [0xff, 0xd8, 0xff],
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
} satisfies { readonly [type: string]: ReadonlyArray<number> })
/** A type of file that can be uploaded, as its first bytes show. */
export type FileType = (typeof FileTypes.keys)[number]

/** How many bytes decide the type. */
export const typeBytes = Math.max(...FileTypes.keys.map((type) => FileTypes.get(type).length))

/** Returns the type of a file that begins with these bytes; `undefined` for any other. */
export const fileTypeOf = (start: Uint8Array): FileType | undefined =>
  FileTypes.keys.find((type) => FileTypes.get(type).every((byte, at) => start[at] === byte))

const nameLengthMax = 255

/** Returns the last segment of the name that the client sent, without control characters and cut; a name of the type if nothing is left. */
export const fileNameOf = (sent: string | undefined, type: FileType): string => {
  const segment = (sent ?? "").split(/[/\\]/u).at(-1) ?? ""
  const name = segment
    .replaceAll(/\p{Cc}/gu, "")
    .toWellFormed()
    .slice(0, nameLengthMax)
    .replace(/[\uD800-\uDBFF]$/u, "")
  return /^[.\s]*$/u.test(name) ? `document.${type}` : name
}
