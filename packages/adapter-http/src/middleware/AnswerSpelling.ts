/**
 * Spells answers and errors with the service's name, as they leave.
 * Source: wire contract areas 2.5; D-371.
 */
import { fieldSpelling, outwardAnswers } from "@countersign/client/api"
import { bodyOf, type ErrorBody, type FieldProblem, invalidInputOf, type Refusal } from "@countersign/core"
import { CrossField, type Json, type Respell, respellText, type Spellings } from "@countersign/core/models"
import type { HttpApiEndpoint } from "effect/http-api"

/** The body of a refusal on the wire. */
export type ErrorBodyOf = (refusal: Refusal) => object

export interface AnswerSpelling {
  readonly body: Respell
  readonly error: ErrorBodyOf
}

const isProblem = (value: Json): value is Json & FieldProblem =>
  CrossField.isObject(value) && typeof value["field"] === "string" && typeof value["message"] === "string"

/** Returns the spelling of the problems of fields. Neither their messages nor their constraints ever show a value of the caller. */
const problemSpelling = (endpoint: HttpApiEndpoint.Top, spellings: Spellings) => {
  const spellField = fieldSpelling(endpoint, spellings)
  return ({ constraint, field, message }: FieldProblem): FieldProblem => {
    const values = constraint?.["enum"]
    const spelled = Array.isArray(values)
      ? { ...constraint, enum: values.map((value: Json) => spellings.get(String(value)) ?? value) }
      : constraint
    return {
      field: spellField(field),
      message: respellText(message, spellings),
      ...(spelled === undefined ? {} : { constraint: spelled }),
    }
  }
}

const errorSpelling = (endpoint: HttpApiEndpoint.Top, spellings: Spellings): ErrorBodyOf => {
  const spellProblem = problemSpelling(endpoint, spellings)
  const withFields = (refusal: Refusal): Refusal => {
    const { errors, omitted } = refusal.details ?? {}
    if (!Array.isArray(errors) || !errors.every(isProblem)) return refusal
    const messageOf = (problems: ReadonlyArray<FieldProblem>) =>
      invalidInputOf({ problems, omitted: typeof omitted === "number" ? omitted : 0 }).message
    const problems = errors.map(spellProblem)
    return {
      ...refusal,
      // The message repeats the problems, unless the service wrote its own.
      message: messageOf(errors) === refusal.message ? messageOf(problems) : refusal.message,
      details: { ...refusal.details, errors: problems.map((problem) => ({ ...problem })) },
    }
  }
  return (refusal) => {
    const body: ErrorBody = bodyOf(withFields(refusal))
    return { ...body, code: spellings.get(body.code) ?? body.code }
  }
}

/** Returns the spelling of the answers of an endpoint, which is made when it first answers. */
export const spellingByEndpoint = (spellings: Spellings) => {
  const made = new WeakMap<HttpApiEndpoint.Top, AnswerSpelling>()
  return (endpoint: HttpApiEndpoint.Top): AnswerSpelling => {
    const spelling = made.get(endpoint) ?? {
      body: outwardAnswers(endpoint, spellings),
      error: errorSpelling(endpoint, spellings),
    }
    made.set(endpoint, spelling)
    return spelling
  }
}
