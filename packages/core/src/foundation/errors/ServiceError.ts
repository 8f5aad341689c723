/**
 * An expected failure: a code of the error table, a message for a person, and details for a program.
 * Spec: Errors (the body of every error status).
 */
import { Data } from "effect"
import type { Json } from "../kit/CanonicalJson.ts"
import { type ErrorCode, ErrorCodes, statusOf } from "./ErrorCodes.ts"
import { type BoundedProblems, boundedProblems, type FieldProblem } from "./FieldProblems.ts"
import { type UnauthorizedReason, UnauthorizedReasons } from "./UnauthorizedReasons.ts"

/** What a decision returns when it refuses. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: { readonly [key: string]: Json }
}

/** The wire body of an error. */
export interface ErrorBody {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly reason?: string
  readonly details?: { readonly [key: string]: Json }
}

export class ServiceError extends Data.TaggedError("ServiceError")<
  Refusal & {
    /** Whether this is the stored refusal of an earlier request with the same idempotency key. */
    readonly replayed?: boolean
  }
> {
  get status(): number {
    return statusOf(this.code)
  }
}

/** Returns the body of a refusal. A 401 repeats `details.reason` as `reason`. */
export const bodyOf = (refusal: Refusal): ErrorBody => {
  const status = statusOf(refusal.code)
  const reason = refusal.details?.["reason"]
  return {
    status,
    code: refusal.code,
    message: refusal.message,
    ...(status === 401 && typeof reason === "string" ? { reason } : {}),
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
  }
}

const isObject = (json: Json | undefined): json is { readonly [key: string]: Json } =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** Returns the refusal of a stored error body. */
export const refusalOf = (body: Json): Refusal => {
  const members = isObject(body) ? body : {}
  const code = String(members["code"])
  const details = members["details"]
  return {
    code: ErrorCodes.has(code) ? code : "INTERNAL_ERROR",
    message: String(members["message"]),
    ...(isObject(details) ? { details } : {}),
  }
}

/** The refusal of a 401 that names the failed check. */
export const unauthorizedFor = (reason: keyof typeof UnauthorizedReasons.rows): Refusal => {
  const text: UnauthorizedReason = UnauthorizedReasons.rows[reason]
  return { code: "UNAUTHORIZED", message: text, details: { reason: text } }
}

/** A 401 that names the failed check. */
export const unauthorized = (reason: keyof typeof UnauthorizedReasons.rows): ServiceError =>
  new ServiceError(unauthorizedFor(reason))

/** A 400 `INVALID_INPUT` that lists these problems and says how many were left out. */
export const invalidInputOf = ({ omitted, problems }: BoundedProblems): Refusal => {
  const texts = problems.map((problem) => `${problem.field}: ${problem.message}`)
  return {
    code: "INVALID_INPUT",
    message: [...texts, ...(omitted === 0 ? [] : [`and ${omitted} more`])].join("; "),
    details: { errors: problems.map((problem) => ({ ...problem })), ...(omitted === 0 ? {} : { omitted }) },
  }
}

/** A 400 `INVALID_INPUT` that lists every problem at once, up to the number that a response has room for. */
export const invalidInput = (problems: ReadonlyArray<FieldProblem>): Refusal =>
  invalidInputOf(boundedProblems(problems))

/** Returns the 404 of a kind of record; `code` is for kinds that have a code of their own. */
export const notFound = (what: string, code: ErrorCode = "REFERENCE_NOT_FOUND"): Refusal => ({
  code,
  message: `No such ${what}.`,
})
