/**
 * The limits of a world's file, and its checksum.
 * Source: D-471.
 */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Secrets from "../../foundation/crypto/Secrets.ts"
import type { WorldFile } from "./WorldResource.ts"

/** The version of the format that this release writes. */
export const worldFileVersion = 1

/** The most bytes of a state before compression: what a server saves. */
export const stateBytesMax = 64 * 1024 * 1024

/**
 * The most bytes of the state of a file: what a server expands that may be from anyone. The state of a real world is about eleven times as
 * long as its file.
 */
export const fileStateBytesMax = 16 * 1024 * 1024

/** Whether a state has at most this number of bytes as UTF-8. */
export const isWithin = (state: string, bytesMax: number): boolean =>
  state.length <= bytesMax && utf8ToBytes(state).length <= bytesMax

const levelsMax = 100

/** Whether JSON has no more levels than any state has. Deeper ones exhaust the stack of what reads them. */
export const isShallow = (json: string): boolean => {
  let levels = 0
  let isInText = false
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    if (isInText) {
      if (character === "\\") index++
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === "[" || character === "{") {
      levels++
      if (levels > levelsMax) return false
    } else if (character === "]" || character === "}") levels--
  }
  return true
}

type Unchecked = Omit<WorldFile, "checksum">

/** The checksum over all members but itself, in the order of their names. */
export const checksumOf = (file: Unchecked & { readonly checksum?: string }): string => {
  const { checksum: _, ...members } = file
  return Secrets.hash(JSON.stringify(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

/** Returns the file with its checksum. */
export const withChecksum = (file: Unchecked): WorldFile => ({ ...file, checksum: checksumOf(file) })
