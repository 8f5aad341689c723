/**
 * Checks a response: its status, its body against the schemas of the operation, and its code against the error table.
 * Source: wire contract 8.1 and 8.2; the schemas and statuses of the definition.
 */
import { ErrorCodes, ErrorResource } from "@countersign/core/models"
import { Result, Schema } from "effect"
import type { PlainSchema } from "./FromSchema.ts"
import { type Operation, operationOf } from "./Operations.ts"
import type { MalformedRequest } from "./Requests.ts"

type Problems = ReadonlyArray<string>

/** A response as the harness's `send` returns it. */
export interface Answer {
  readonly status: number
  /** The parsed JSON body; `undefined` if there is none. */
  readonly body: unknown
}

type Decode = (value: unknown) => Result.Result<unknown, Schema.SchemaError>
const decoders = new WeakMap<PlainSchema, Decode>()

/** Returns the decoder of a schema. It rejects excess members, because a response must not contain undocumented data. */
const decoderOf = (schema: PlainSchema): Decode => {
  const cached = decoders.get(schema)
  if (cached !== undefined) return cached
  const decode: Decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  decoders.set(schema, decode)
  return decode
}

const problemsOfBody = (schemas: ReadonlyArray<PlainSchema>, body: unknown): Problems => {
  const results = schemas.map((schema) => decoderOf(schema)(body))
  if (results.some(Result.isSuccess)) return []
  return [
    `the body does not match the schema: ${results.flatMap((one) => (Result.isFailure(one) ? [one.failure.message] : [])).join("; ")}`,
  ]
}

const isNamed = (code: string): code is keyof typeof ErrorCodes.rows => code in ErrorCodes.rows

const problemsOfRefusal = ({ name, refuses }: Operation, { body, status }: Answer): Problems => {
  const read = decoderOf(ErrorResource)(body)
  if (Result.isFailure(read)) return [`the body is not an error response: ${read.failure.message}`]
  const { code, status: bodyStatus } = read.success as ErrorResource
  return [
    ...(bodyStatus === status ? [] : [`the body has the status ${bodyStatus}`]),
    ...(isNamed(code) && ErrorCodes.get(code).status === status ? [] : [`${code} does not have the status ${status}`]),
    ...(status >= 500 && status !== 501 ? [`${code}: the service has a defect`] : []),
    ...(refuses.has(status) ? [] : [`${name} does not declare the status ${status}`]),
  ]
}

/** Returns the problems of a response to any request, by any sender. */
export const problemsOfAnswer = (operation: Operation | string, answer: Answer): Problems => {
  const of = typeof operation === "string" ? operationOf(operation) : operation
  const schemas = of.answers.get(answer.status)
  // The schemas decode an empty body as `null`.
  if (schemas !== undefined) return problemsOfBody(schemas, answer.body ?? null)
  return answer.status >= 400
    ? problemsOfRefusal(of, answer)
    : [`${of.name} does not declare the status ${answer.status}`]
}

const fieldsOf = (body: unknown): ReadonlyArray<string> => {
  const errors: unknown = Object(Object(body).details).errors
  return Array.isArray(errors) ? errors.map((error) => String(Object(error).field)) : []
}

const within = (outer: string, inner: string) => outer === inner || inner.startsWith(`${outer}.`)

/** Returns the problems of the response to a malformed, authorized request: it must be 400 and list every invalid field. */
export const problemsOfMalformed = ({ wrong }: MalformedRequest, { body, status }: Answer): Problems => {
  const code = String(Object(body).code)
  const what = `${wrong.field || "the body"} ${wrong.change}`
  if (status !== 400 || code !== "INVALID_INPUT") return [`${what}, but the response is ${status} ${code}`]
  const listed = fieldsOf(body).map((one) => (wrong.part === "headers" ? one.toLowerCase() : one))
  return wrong.fields
    .map((field) => (field === "" ? "body" : field))
    .filter((field) => !listed.some((one) => field === "body" || within(one, field) || within(field, one)))
    .map((field) => `${what}, but no problem of ${field} is listed; listed: ${listed.join(", ") || "none"}`)
}
