/**
 * The messages of the refusals that tests receive: each must say what is wrong in words that a reader can act on, without internal detail.
 * Source: D-545; Spec: Errors.
 */
// Not by the packages' indexes: servers of the tests load this.
import { isObject } from "../../../packages/adapter-http/src/server/Json.ts"
import { UnauthorizedReasons } from "../../../packages/core/src/foundation/errors/UnauthorizedReasons.ts"

interface FieldMessage {
  readonly field: string
  readonly message: string
}

/** A refusal's own message, and the messages of its fields. */
export interface RefusalMessages {
  readonly message: string
  readonly fields: ReadonlyArray<FieldMessage>
}

const isFieldMessage = (value: unknown): value is FieldMessage =>
  isObject(value) && typeof value["field"] === "string" && typeof value["message"] === "string"

/** The messages of an error body; `undefined` for another body. */
export const messagesOf = (body: unknown): RefusalMessages | undefined => {
  if (!isObject(body) || typeof body["message"] !== "string") return undefined
  const errors = isObject(body["details"]) ? body["details"]["errors"] : undefined
  return { message: body["message"], fields: Array.isArray(errors) ? errors.filter(isFieldMessage) : [] }
}

const wordsMax = 60

/** What no reader can act on: parts of the program, or a value that was not filled in. */
const internal = /\bundefined\b|\bNaN\b|\[object |\bat \S+:\d+|node_modules|\b\w+Error\b|\$\{|\bfunction\b/u

/** A judgement without the rule that it follows from. */
const bare = /^(?:(?:is |are )?(?:not valid|invalid|wrong|bad|incorrect|not allowed|malformed)|error|failed)\.?$/iu

const reasons: ReadonlyArray<string> = Object.values(UnauthorizedReasons.rows)

/** What is wrong with a text by itself, whether it is a sentence or the rule of a field. */
export const problemsOfText = (text: string): ReadonlyArray<string> => [
  ...(internal.test(text) ? ["has internal detail"] : []),
  ...(bare.test(text.trim()) ? ["names no rule"] : []),
  ...(text.split(/\s+/u).length > wordsMax ? [`has more than ${wordsMax} words`] : []),
]

const sentence = /^[A-Z`'"\d]\S*(?: \S+){2,}[.)]$/u
const fieldWithRule = /^[a-z][\w.[\]]*:(?: \S+){2,}$/u

const problemsOfSentence = (message: string): ReadonlyArray<string> =>
  sentence.test(message) || fieldWithRule.test(message) ? [] : ["is neither a sentence nor a field with its rule"]

/** What is wrong with the messages of a refusal, each with its text. */
export const problemsOfMessages = ({ fields, message }: RefusalMessages): ReadonlyArray<string> => {
  const own = [
    ...problemsOfText(fields.length === 0 ? message : ""),
    // The list of the fields' messages is made of them, and the reasons of a 401 are given.
    ...(fields.length > 0 || reasons.includes(message) ? [] : problemsOfSentence(message)),
  ]
  return [
    ...own.map((problem) => `the message "${message}" ${problem}`),
    ...fields.flatMap(({ field, message: text }) =>
      [...problemsOfText(text), ...(text.trim() === "" ? ["is empty"] : [])].map(
        (problem) => `the message "${text}" of ${field} ${problem}`,
      ),
    ),
  ]
}

/** A message without what differs between two requests, so that it is noted once. */
export const withoutValues = (text: string): string =>
  text
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gu, "ID")
    .replaceAll(/\d+/gu, "0")
    .slice(0, 400)
