/**
 * What is wrong with an answer: its status, its body against the operation's own schemas, its code against the table.
 * Source: wire contract 8.1 and 8.2; the schemas and statuses of the definition.
 */
import { ErrorCodes, ErrorResource } from "@countersign/core/models"
import { Result, Schema } from "effect"
import type { PlainSchema } from "./FromSchema.ts"
import { type Operation, operationOf } from "./Operations.ts"
import type { MalformedRequest } from "./Requests.ts"

type Problems = ReadonlyArray<string>

/** An answer as a harness's `send` reads it. */
export interface Answer {
  readonly status: number
  /** Read as JSON; `undefined` where there is none. */
  readonly body: unknown
}

type Decode = (value: unknown) => Result.Result<unknown, Schema.SchemaError>
const decoders = new WeakMap<PlainSchema, Decode>()

/** What stands in an answer and not in its schema would be told to nobody's benefit: it is a problem, too. */
const decoderOf = (schema: PlainSchema): Decode => {
  const made = decoders.get(schema)
  if (made !== undefined) return made
  const decode: Decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  decoders.set(schema, decode)
  return decode
}

const problemsOfBody = (schemas: ReadonlyArray<PlainSchema>, body: unknown): Problems => {
  const results = schemas.map((schema) => decoderOf(schema)(body))
  if (results.some(Result.isSuccess)) return []
  return [
    `its body does not fit: ${results.flatMap((one) => (Result.isFailure(one) ? [one.failure.message] : [])).join("; ")}`,
  ]
}

const isNamed = (code: string): code is keyof typeof ErrorCodes.rows => code in ErrorCodes.rows

const problemsOfRefusal = ({ name, refuses }: Operation, { body, status }: Answer): Problems => {
  const read = decoderOf(ErrorResource)(body)
  if (Result.isFailure(read)) return [`it is no error of the interface: ${read.failure.message}`]
  const { code, status: said } = read.success as ErrorResource
  return [
    ...(said === status ? [] : [`its body says ${said}`]),
    ...(isNamed(code) && ErrorCodes.get(code).status === status ? [] : [`${code} is not of ${status}`]),
    ...(status >= 500 && status !== 501 ? [`${code}: the service broke`] : []),
    ...(refuses.has(status) ? [] : [`${name} does not say that it answers ${status}`]),
  ]
}

/** What is wrong with an answer of an operation, whatever was asked and whoever asked it. */
export const problemsOfAnswer = (operation: Operation | string, answer: Answer): Problems => {
  const of = typeof operation === "string" ? operationOf(operation) : operation
  const schemas = of.answers.get(answer.status)
  // An empty answer is read as nothing, and as `null` by the schemas.
  if (schemas !== undefined) return problemsOfBody(schemas, answer.body ?? null)
  return answer.status >= 400 ? problemsOfRefusal(of, answer) : [`it does not say that it answers ${answer.status}`]
}

const fieldsOf = (body: unknown): ReadonlyArray<string> => {
  const errors: unknown = Object(Object(body).details).errors
  return Array.isArray(errors) ? errors.map((error) => String(Object(error).field)) : []
}

const within = (outer: string, inner: string) => outer === inner || inner.startsWith(`${outer}.`)

/** What is wrong with the answer to a malformed request of somebody who may ask: it is refused as such, and all its problems are listed. */
export const problemsOfMalformed = ({ wrong }: MalformedRequest, { body, status }: Answer): Problems => {
  const code = String(Object(body).code)
  const what = `${wrong.field || "the body"} ${wrong.change}`
  if (status !== 400 || code !== "INVALID_INPUT") return [`${what}, and it is answered ${status} ${code}`]
  const listed = fieldsOf(body).map((one) => (wrong.part === "headers" ? one.toLowerCase() : one))
  return wrong.fields
    .map((field) => (field === "" ? "body" : field))
    .filter((field) => !listed.some((one) => field === "body" || within(one, field) || within(field, one)))
    .map((field) => `${what}, and of ${field} no problem is listed: ${listed.join(", ") || "none"}`)
}
