/**
 * Replays a tape on a service, step by step, and compares the responses.
 * Source: D-233, D-449, D-474.
 */
import { SandboxOtp } from "@countersign/core/sandbox"
import { Base64 } from "effect/encoding"
import { walletCrypto } from "../signed/WalletCrypto.ts"
import { type Difference, type Differences, differences, pairs } from "./Differences.ts"
import { at, mapTexts, parts, type Reference, texts } from "./References.ts"
import type { Json, Tape, TapeAdvance, TapeCall, TapeGap, TapePart, TapeSender } from "./Tape.ts"

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

/** What a replay needs beside the tape. */
export interface ReplayOptions {
  /** The `Authorization` headers and texts that the tape does not contain, by their names in it. */
  readonly variables?: { readonly [name: string]: string }
}

/** A step after it was played, counted from 0. */
export type PlayedStep =
  | (TapeAdvance & { readonly step: number })
  | (TapeGap & { readonly step: number })
  | {
      readonly _tag: "Call"
      readonly step: number
      readonly call: TapeCall
      readonly status: number
      readonly body: Json | undefined
      readonly differences: Differences
    }

const variablesIn = ({ answer: _, as, ...call }: TapeCall): ReadonlyArray<string> => {
  const sent = texts({ ...call, form: call.form?.map((part) => ({ ...part })) ?? [], headers: { ...call.headers } })
  const given = sent
    .flatMap(([, text]) => parts(text))
    .flatMap((part) => (typeof part !== "string" && "variable" in part ? [part.variable] : []))
  return typeof as === "object" && "variable" in as ? [as.variable, ...given] : given
}

/** Returns the names of the `Authorization` headers and texts that a tape does not contain. */
export const variablesOf = ({ steps }: Tape): ReadonlyArray<string> => [
  ...new Set(steps.flatMap((step) => (step._tag === "Call" ? variablesIn(step) : []))),
]

const missingText = (name: string): Error =>
  new Error(`the tape has a text that no response contained: pass \`variables.${name}\``)

/** The credentials of a call, as its sender or among its headers. */
const credentialsOf = (
  as: TapeSender,
  resolve: (text: string) => string,
  variables: { readonly [name: string]: string },
): Pick<PlayedCall, "as" | "headers"> => {
  if (typeof as === "string") return { as, headers: {} }
  if ("token" in as) return { as: { token: resolve(as.token) }, headers: {} }
  if ("clientId" in as) {
    const basic = Base64.encode(`${resolve(as.clientId)}:${resolve(as.clientSecret)}`)
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

/** Replays a tape and returns each step after it was played. A caller that asks for no more steps ends the replay. */
export async function* play(
  tape: Tape,
  target: ReplayTarget,
  { variables = {} }: ReplayOptions = {},
): AsyncGenerator<PlayedStep, void, undefined> {
  const answers: Array<Json | undefined> = []
  const isPair = pairs()
  const seal = sealer()
  const codes = new Map<string, string>()

  const valueAt = ({ path, step }: Reference): string => {
    const value = at(answers[step], path)
    return typeof value === "string" ? value : `nothing at ${step}:${path}`
  }
  const given = (name: string): string => {
    const value = variables[name]
    if (value === undefined) throw missingText(name)
    return value
  }
  const resolveAs = (encode: (value: string) => string) => (text: string) =>
    parts(text)
      .map((part) => {
        if (typeof part === "string") return part
        if ("variable" in part) return encode(given(part.variable))
        return encode(part.isSealed ? (codes.get(valueAt(part)) ?? "") : valueAt(part))
      })
      .join("")
  const resolve = resolveAs((value) => value)
  const resolvePath = resolveAs(encodeURIComponent)

  /** Seals the codes that a body needs. */
  const sealCodes = async (body: Json | undefined): Promise<void> => {
    for (const part of texts(body).flatMap(([, text]) => parts(text))) {
      if (typeof part === "string" || "variable" in part || !part.isSealed) continue
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
      yield { ...played, step }
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
        ? answer.isBodyUnknown === true
          ? []
          : differences(answer.body, content, isPair)
        : [{ at: "status", recorded: answer.status, played: reply.status }]
    yield { _tag: "Call", step, call: played, status: reply.status, body: content, differences: places }
  }
}

/** Replays a tape; returns the differences between the recorded responses and those of the target. */
export const replay = async (
  tape: Tape,
  target: ReplayTarget,
  options: ReplayOptions = {},
): Promise<ReadonlyArray<Difference>> => {
  const found: Array<Difference> = []
  for await (const played of play(tape, target, options)) {
    if (played._tag === "Call") found.push(...played.differences.map((place) => ({ step: played.step, ...place })))
  }
  return found
}
