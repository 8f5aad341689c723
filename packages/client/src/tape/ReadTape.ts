/**
 * Reads the text of a tape, and checks it in full: a tape is sent with a platform's credentials, so that no path may lead to another address.
 * Source: D-474.
 */
import { parts, texts } from "./References.ts"
import type { Json, Tape } from "./Tape.ts"

/** The text is not a tape. The message names the first wrong place. */
export class InvalidTape extends Error {
  override readonly name = "InvalidTape"
}

type Members = { readonly [name: string]: Json }

const format: Tape["format"] = "countersign tape 1"
const depthMax = 100
const statusMin = 100
const statusMax = 599

const isObject = (value: Json | undefined): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isText = (value: Json | undefined): value is string => typeof value === "string"
const isTexts = (value: Json | undefined): boolean => isObject(value) && Object.values(value).every(isText)

/** Whether a value has no more levels than this. It stops at the first one below them. */
const isShallow = (value: Json, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inside) => isShallow(inside, levels - 1)))

const isSender = (as: Json | undefined): boolean => {
  if (!isObject(as)) return as === "platform" || as === "nobody"
  if (isText(as["variable"])) return /^[A-Za-z_]\w{0,63}$/u.test(as["variable"])
  return isText(as["token"]) || (isText(as["clientId"]) && isText(as["clientSecret"]))
}

const isBase64 = (text: Json | undefined): boolean => {
  try {
    return isText(text) && atob(text).length >= 0
  } catch {
    return false
  }
}

const isPart = (part: Json): boolean =>
  isObject(part) &&
  isText(part["name"]) &&
  (isText(part["value"]) || (isText(part["fileName"]) && isText(part["type"]) && isBase64(part["base64"])))

const isStatus = (status: Json | undefined): boolean =>
  typeof status === "number" && Number.isInteger(status) && status >= statusMin && status <= statusMax

/** The rules of the members of a call. */
const callRules: ReadonlyArray<readonly [isWrong: (call: Members) => boolean, message: string]> = [
  [({ method }) => !isText(method) || !/^[A-Z]{1,20}$/u.test(method), "`method` must be a method, such as POST"],
  [({ path }) => !isText(path) || !path.startsWith("/"), "`path` must begin with /"],
  [({ isOutside }) => isOutside !== undefined && typeof isOutside !== "boolean", "`isOutside` must be true or false"],
  [({ as }) => !isSender(as), "`as` must be platform, nobody, a token, client credentials or the name of a variable"],
  [({ headers }) => !isTexts(headers), "`headers` must be an object of texts"],
  [({ text }) => text !== undefined && !isText(text), "`text` must be a text"],
  [({ form }) => form !== undefined && !(Array.isArray(form) && form.every(isPart)), "`form` must be a list of parts"],
  [
    ({ answer }) => !isObject(answer) || !isStatus(answer["status"]),
    `\`answer.status\` must be a status from ${statusMin} to ${statusMax}`,
  ],
]

const shortest = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

/** Says which reference of a call leads nowhere: only earlier calls have a response. */
const referenceProblem = (call: Members, index: number, isCall: (step: number) => boolean): string | undefined => {
  for (const part of texts(call).flatMap(([, text]) => parts(text))) {
    if (typeof part === "string" || "variable" in part || (part.step < index && isCall(part.step))) continue
    return `{{${part.step}:${shortest(part.path)}}} must refer to an earlier call`
  }
  return undefined
}

const stepProblem = (step: Json, index: number, isCall: (step: number) => boolean): string | undefined => {
  if (!isObject(step)) return "must be an object"
  const { _tag, millis, reason } = step
  if (_tag === "Gap") return isText(reason) ? undefined : "`reason` must be a text"
  if (_tag === "Advance") {
    const isMillis = typeof millis === "number" && Number.isInteger(millis) && millis >= 0
    return isMillis ? undefined : "`millis` must be a number of milliseconds, 0 or more"
  }
  if (_tag !== "Call") return "`_tag` must be Call, Advance or Gap"
  if (!isShallow(step, depthMax)) return `must have at most ${depthMax} levels`
  const [, message] = callRules.find(([isWrong]) => isWrong(step)) ?? []
  const { answer: _, ...sent } = step
  return message ?? referenceProblem(sent, index, isCall)
}

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    throw new InvalidTape(`it is not JSON: ${shortest(cause instanceof Error ? cause.message : "")}`)
  }
}

/** Says what is wrong with a value that should be a tape, at the first wrong place. */
const problemOf = (tape: Json): string | undefined => {
  if (!isObject(tape) || tape["format"] !== format) {
    return `it has no \`format\` of "${format}": a tape is what \`tape()\` of the harness returns, as JSON`
  }
  const { steps } = tape
  if (!Array.isArray(steps)) return "`steps` must be a list"
  const isCall = (step: number): boolean => isObject(steps[step]) && steps[step]["_tag"] === "Call"
  for (const [index, step] of steps.entries()) {
    const problem = stepProblem(step, index, isCall)
    if (problem !== undefined) return `step ${index}: ${problem}`
  }
  return undefined
}

const isTape = (_value: unknown, problem: string | undefined): _value is Tape => problem === undefined

/** Reads a tape, or the tape within a file that a harness saved. Throws `InvalidTape`. */
export const readTape = (text: string): Tape => {
  const read = parsed(text)
  const value: unknown = isObject(read) && isObject(read["tape"]) ? read["tape"] : read
  const problem = problemOf(value as Json)
  if (isTape(value, problem)) return value
  throw new InvalidTape(problem)
}
