/**
 * A row of the contract: one operation of a port over HTTP. The client, the OpenAPI document and the page are made from the rows.
 * Source: D-527.
 */
import type { Schema } from "effect"

/** How long an answer is waited for: `ask` while a client waits, `instruct` in a job. Milliseconds, on the clock of the process. */
export const deadlines = { ask: 10_000, instruct: 30_000 } as const

export type DeadlineClass = keyof typeof deadlines

/**
 * What a second request with the same content does. `none`: nothing, the operation only reads. `reference`: nothing, because the bank knows
 * the reference. `key`: nothing, because the vault knows the file's key, so that it is sent once more after a lost answer. `again`: it acts
 * again, so that it is never sent twice.
 */
export type Repetition = "none" | "reference" | "key" | "again"

export interface PortOperation<Request, Answer> {
  /** `/rails/push`: the path below the base address. */
  readonly path: `/${string}/${string}`
  readonly summary: string
  /** The port's request, and its JSON. */
  readonly request: Schema.Codec<Request, unknown>
  /** The port's answer, and its JSON: an object. */
  readonly answer: Schema.Codec<Answer, unknown>
  readonly repetition: Repetition
  readonly deadline: DeadlineClass
  /** Whether an answer carries bytes in base64: a text that is refused or cut would be other bytes. Default: false. */
  readonly carriesBytes?: boolean
  /** What a lost answer is for the service: an outcome `Unknown`, or an error of the request or job that asked. */
  readonly lost: "Unknown" | "Unavailable"
}

export interface OutcomeOperation<Request, Answer> extends PortOperation<Request, Answer> {
  readonly lost: "Unknown"
}

export interface AskOperation<Request, Answer> extends PortOperation<Request, Answer> {
  readonly lost: "Unavailable"
}

type Row<Request, Answer> = Omit<PortOperation<Request, Answer>, "lost">

/** An operation whose answer can be `Unknown`. */
export const withUnknown = <Request, Answer>(row: Row<Request, Answer>): OutcomeOperation<Request, Answer> => ({
  ...row,
  lost: "Unknown",
})

/** An operation that has no outcome for a lost answer. */
export const withoutUnknown = <Request, Answer>(row: Row<Request, Answer>): AskOperation<Request, Answer> => ({
  ...row,
  lost: "Unavailable",
})
