/**
 * The mark of a member that is a secret, or that contains one: whatever is kept of a request or an answer has a mask in its place.
 * Source: D-464.
 */
import type { SchemaAST } from "effect"

const key = "countersign/secret"

/** The annotations of a secret member of a schema. */
export const secret = { [key]: true } as const

interface Marks {
  readonly [key]?: unknown
  /** A member that only requests have, because it is never shown. */
  readonly writeOnly?: unknown
}

const isMarked = (annotations: Marks | undefined): boolean =>
  annotations?.[key] === true || annotations?.writeOnly === true

/** Whether a schema is marked itself. An annotation that follows a check is the check's. */
export const isSecret = ({ annotations, checks }: SchemaAST.AST): boolean =>
  isMarked(annotations) || (checks ?? []).some((check) => isMarked(check.annotations))
