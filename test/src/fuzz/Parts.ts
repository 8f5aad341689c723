/** Inputs of several parts, such as the members of a request or the segments of a token, each with its own mutations. */
import { type Draw, mutantText } from "../crypto/Mutants.ts"
import { bytesOf } from "./ByteMutants.ts"
import type { Mutator } from "./Target.ts"

const separator = "\u0100"
/** A part that begins with it is sent as it is, without the encoding that its bytes would have. */
const verbatim = "\u0101"

export const joined = (parts: ReadonlyArray<string>): string => parts.join(separator)

/** Returns this number of parts; those that are missing are empty. */
export const partsOf = (input: string, count: number): ReadonlyArray<string> => {
  const parts = input.split(separator)
  return Array.from({ length: count }, (_, index) => parts[index] ?? "")
}

/** Returns the bytes of a part in an encoding. */
const encoded =
  (encode: (bytes: Uint8Array) => string) =>
  (part: string): string =>
    part.startsWith(verbatim) ? part.slice(1) : encode(bytesOf(part))

export const base64urlOf = encoded((bytes) => Buffer.from(bytes).toString("base64url"))

/** Changes the encoded text of a part, once in 16 times, and else what it encodes. */
export const encodedMutator =
  (encode: (part: string) => string, mutant: Mutator): Mutator =>
  (draw, part) =>
    part.startsWith(verbatim) || draw(16) === 0
      ? `${verbatim}${mutantText(draw, encode(part) || " ")}`
      : mutant(draw, part)

/** Picks one of the values. */
export const choiceMutator =
  (values: ReadonlyArray<string>): Mutator =>
  (draw: Draw) =>
    values[draw(values.length)] ?? ""

/** Changes one part by its mutator, and once in 32 times the whole input. */
export const partsMutator =
  (mutators: ReadonlyArray<Mutator>): Mutator =>
  (draw, input) => {
    if (draw(32) === 0) return mutantText(draw, input)
    const at = draw(mutators.length)
    const parts = partsOf(input, mutators.length)
    return joined(parts.with(at, mutators[at]?.(draw, parts[at] ?? "") ?? ""))
  }
