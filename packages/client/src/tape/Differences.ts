/**
 * Compares a recorded response with a replayed one. Generated texts may differ if they correspond one to one in both runs. Timestamps may
 * differ, and a masked text stands for anything. Everything else must be equal.
 * Source: D-233, D-449.
 */
import { type Json, maskedText } from "./Tape.ts"

/** A difference between a recorded response and the replayed one, at a dotted path of the response to a step. */
export interface Difference {
  readonly step: number
  readonly at: string
  readonly recorded: Json | undefined
  readonly played: Json | undefined
}

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/u
/** A reference, such as `FUND-78GJRMT5`, may have no digit. */
const reference = /^[A-Z]{2,8}-[0-9A-Z]{8}$/u
/** The last digits of a card number. */
const lastDigits = /^\d{4}$/u
const looksGenerated = (text: string) =>
  reference.test(text) || (text.length >= 6 && /\d/u.test(text) && !/\s/u.test(text))

/** Whether both texts may be generated. One of the same length need not have a digit: some codes have none. */
const areGenerated = (recorded: string, played: string) =>
  (lastDigits.test(recorded) && lastDigits.test(played)) ||
  (looksGenerated(recorded) && looksGenerated(played)) ||
  ((looksGenerated(recorded) || looksGenerated(played)) &&
    recorded.length === played.length &&
    !/\s/u.test(recorded + played))

/** Tracks which generated texts correspond, in both directions. */
export const pairs = () => {
  const there = new Map<string, string>()
  const taken = new Set<string>()
  return (recorded: string, played: string): boolean => {
    if (!there.has(recorded) && !taken.has(played)) {
      there.set(recorded, played)
      taken.add(played)
    }
    return there.get(recorded) === played
  }
}

export type Differences = ReadonlyArray<Omit<Difference, "step">>

/** Returns the differences at and below a dotted path. */
export const differences = (
  recorded: Json | undefined,
  played: Json | undefined,
  isPair: (recorded: string, played: string) => boolean,
  place = "",
): Differences => {
  if (recorded === maskedText) return []
  if (typeof recorded === "string" && typeof played === "string") {
    if (timestamp.test(recorded) && timestamp.test(played)) return []
    if (areGenerated(recorded, played) && isPair(recorded, played)) return []
    // A sentence may name generated texts.
    const [before, after] = [recorded, played].map((text) => text.split(/[\s.,;]+/u)) as [Array<string>, Array<string>]
    const isSentence = before.length > 1 && before.length === after.length
    const isAlike = (word: string, other = "") => word === other || (areGenerated(word, other) && isPair(word, other))
    if (isSentence && before.every((word, index) => isAlike(word, after[index]))) return []
  }
  if (Object.is(recorded, played)) return []
  const isTree = (value: Json | undefined): value is ReadonlyArray<Json> | { readonly [key: string]: Json } =>
    typeof value === "object" && value !== null
  if (!isTree(recorded) || !isTree(played) || Array.isArray(recorded) !== Array.isArray(played)) {
    return [{ at: place, recorded, played }]
  }
  const [before, after] = [new Map(Object.entries(recorded)), new Map(Object.entries(played))]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) =>
    differences(before.get(name), after.get(name), isPair, place === "" ? name : `${place}.${name}`),
  )
}
