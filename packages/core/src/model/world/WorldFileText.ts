/**
 * The limits of a world's file, and its checksum.
 * Source: D-471.
 */
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import type { WorldFile } from "./WorldResource.ts"

/** The version of the format that this release writes. */
export const worldFileVersion = 1

/** The most bytes of a state before compression: what a server expands of any file. */
export const stateBytesMax = 64 * 1024 * 1024

type Unchecked = Omit<WorldFile, "checksum">

/** The checksum over all members but itself, in the order of their names. */
export const checksumOf = (file: Unchecked & { readonly checksum?: string }): string => {
  const { checksum: _, ...members } = file
  return Secrets.hash(JSON.stringify(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

export const withChecksum = (file: Unchecked): WorldFile => ({ ...file, checksum: checksumOf(file) })
