/**
 * Replays a tape on a service and compares the responses. Generated texts may differ if they correspond one to one in both
 * runs. Timestamps may differ. Everything else must be equal.
 * Source: D-233.
 */
import { at, mapTexts, parts } from "./References.ts"
import type { Json, Tape, TapeSender } from "./Tape.ts"

/** A request of a tape with its references resolved. */
export interface PlayedCall {
  readonly method: string
  readonly path: string
  readonly as: TapeSender
  readonly headers: { readonly [name: string]: string }
  readonly body?: Json
}

/** The service on which a tape is replayed. */
export interface ReplayTarget {
  readonly send: (call: PlayedCall) => Promise<{ readonly status: number; readonly body?: unknown }>
  /** Advances business time and runs due jobs. */
  readonly advance: (millis: number) => Promise<void>
}

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
const looksGenerated = (text: string) =>
  reference.test(text) || (text.length >= 6 && /\d/u.test(text) && !/\s/u.test(text))

/** Whether both texts may be generated. One of the same length need not have a digit: some codes have none. */
const areGenerated = (recorded: string, played: string) =>
  (looksGenerated(recorded) && looksGenerated(played)) ||
  ((looksGenerated(recorded) || looksGenerated(played)) &&
    recorded.length === played.length &&
    !/\s/u.test(recorded + played))

/** Tracks which generated texts correspond, in both directions. */
const pairs = () => {
  const there = new Map<string, string>()
  const back = new Map<string, string>()
  return (recorded: string, played: string): boolean => {
    if (!there.has(recorded) && !back.has(played)) {
      there.set(recorded, played)
      back.set(played, recorded)
    }
    return there.get(recorded) === played && back.get(played) === recorded
  }
}

type Differences = ReadonlyArray<Omit<Difference, "step">>

const differences = (
  recorded: Json | undefined,
  played: Json | undefined,
  isPair: (recorded: string, played: string) => boolean,
  place = "",
): Differences => {
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

/** Replays a tape; returns the differences between the recorded responses and those of the target. */
export const replay = async (tape: Tape, target: ReplayTarget): Promise<ReadonlyArray<Difference>> => {
  const answers: Array<Json | undefined> = []
  const isPair = pairs()
  const found: Array<Difference> = []
  const resolve = (text: string): string =>
    parts(text)
      .map((part) => {
        if (typeof part === "string") return part
        const value = at(answers[part.step], part.path)
        return typeof value === "string" ? value : `nothing at ${part.step}:${part.path}`
      })
      .join("")
  for (const [step, played] of tape.steps.entries()) {
    if (played._tag === "Advance") {
      await target.advance(played.millis)
      answers.push(undefined)
      continue
    }
    const { answer, as, body, headers, method, path } = played
    const reply = await target.send({
      method,
      path: resolve(path),
      as: typeof as === "string" ? as : { token: resolve(as.token) },
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, resolve(value)])),
      ...(body === undefined ? {} : { body: mapTexts(body, resolve) }),
    })
    const content = reply.body === undefined ? undefined : (JSON.parse(JSON.stringify(reply.body)) as Json)
    answers.push(content)
    const places =
      reply.status === answer.status
        ? differences(answer.body, content, isPair)
        : [{ at: "status", recorded: answer.status, played: reply.status }]
    found.push(...places.map((place) => ({ step, ...place })))
  }
  return found
}
