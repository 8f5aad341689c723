/**
 * Replays a tape on a service and compares the responses. Generated texts may differ if they correspond one to one in both
 * runs. Timestamps may differ. Everything else must be equal.
 * Source: D-233, D-449.
 */
import { walletCrypto } from "@countersign/client"
import { SandboxOtp } from "@countersign/core/sandbox"
import { at, mapTexts, parts, type Reference, texts } from "./References.ts"
import type { Json, Tape, TapeCall, TapePart, TapeSender } from "./Tape.ts"

/** A request of a tape with its references resolved. */
export interface PlayedCall {
  readonly method: string
  readonly path: string
  /** Whether the path is relative to the origin instead of the base URL. */
  readonly isOutside: boolean
  /** Other credentials than these are among the headers. */
  readonly as: "platform" | "nobody" | { readonly token: string }
  readonly headers: { readonly [name: string]: string }
  /** A JSON body, or a text. */
  readonly body?: Json
  readonly form?: ReadonlyArray<TapePart>
}

/** The service on which a tape is replayed. */
export interface ReplayTarget {
  readonly send: (call: PlayedCall) => Promise<{ readonly status: number; readonly body?: unknown }>
  /** Advances business time and runs due jobs. */
  readonly advance: (millis: number) => Promise<void>
}

export interface ReplayOptions {
  /** The `Authorization` headers that the tape does not contain, by their names in it. */
  readonly variables?: { readonly [name: string]: string }
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

/** The credentials of a call, as its sender or among its headers. */
const credentialsOf = (
  as: TapeSender,
  resolve: (text: string) => string,
  variables: { readonly [name: string]: string },
): Pick<PlayedCall, "as" | "headers"> => {
  if (typeof as === "string") return { as, headers: {} }
  if ("token" in as) return { as: { token: resolve(as.token) }, headers: {} }
  if ("clientId" in as) {
    const basic = Buffer.from(`${resolve(as.clientId)}:${resolve(as.clientSecret)}`).toString("base64")
    return { as: "nobody", headers: { authorization: `Basic ${basic}` } }
  }
  const authorization = variables[as.variable]
  if (authorization === undefined) {
    throw new Error(
      `the tape has a request with credentials that no response contained: pass \`variables.${as.variable}\`, its \`Authorization\` header`,
    )
  }
  return { as: "nobody", headers: { authorization } }
}

/** Seals the sandbox's code for each bundle once: a signed request is sent twice with the same one. */
const sealer = () => {
  const wallet = walletCrypto()
  const sealed = new Map<string, string>()
  return async (bundle: string): Promise<string> => {
    const known = sealed.get(bundle) ?? (await wallet.sealOtp(bundle, SandboxOtp.sandboxOtp, await wallet.makeKeys()))
    sealed.set(bundle, known)
    return known
  }
}

/** Replays a tape; returns the differences between the recorded responses and those of the target. */
export const replay = async (
  tape: Tape,
  target: ReplayTarget,
  { variables = {} }: ReplayOptions = {},
): Promise<ReadonlyArray<Difference>> => {
  const answers: Array<Json | undefined> = []
  const isPair = pairs()
  const found: Array<Difference> = []
  const seal = sealer()
  const codes = new Map<string, string>()

  const valueAt = ({ path, step }: Reference): string => {
    const value = at(answers[step], path)
    return typeof value === "string" ? value : `nothing at ${step}:${path}`
  }
  const resolveAs = (encode: (value: string) => string) => (text: string) =>
    parts(text)
      .map((part) => {
        if (typeof part === "string") return part
        return encode(part.isSealed ? (codes.get(valueAt(part)) ?? "") : valueAt(part))
      })
      .join("")
  const resolve = resolveAs((value) => value)
  const resolvePath = resolveAs(encodeURIComponent)

  /** Seals the codes that a body needs. */
  const sealCodes = async (body: Json | undefined): Promise<void> => {
    for (const part of texts(body).flatMap(([, text]) => parts(text))) {
      if (typeof part === "string" || !part.isSealed) continue
      const bundle = valueAt(part)
      codes.set(bundle, await seal(bundle))
    }
  }

  const contentOf = ({ body, form, text }: TapeCall): Pick<PlayedCall, "body" | "form"> => {
    if (form !== undefined) {
      return { form: form.map((part) => ("value" in part ? { ...part, value: resolve(part.value) } : part)) }
    }
    if (text !== undefined) return { body: resolve(text) }
    return body === undefined ? {} : { body: mapTexts(body, resolve) }
  }

  for (const [step, played] of tape.steps.entries()) {
    if (played._tag !== "Call") {
      if (played._tag === "Advance") await target.advance(played.millis)
      answers.push(undefined)
      continue
    }
    const { answer, headers, isOutside = false, method, path } = played
    await sealCodes(played.body)
    const credentials = credentialsOf(played.as, resolve, variables)
    const reply = await target.send({
      method,
      path: resolvePath(path),
      isOutside,
      as: credentials.as,
      headers: {
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, resolve(value)])),
        ...credentials.headers,
      },
      ...contentOf(played),
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
