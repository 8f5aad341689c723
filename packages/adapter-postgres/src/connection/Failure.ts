/**
 * Classifies a failed statement: whether it can be retried, whether the database is unavailable, and whether a commit may have happened.
 * Source: ports/Store.ts (StoreUnavailable); PostgreSQL manual, appendix A (error codes).
 */

export type Failure =
  /** Another transaction was faster, or a deadlock was broken. Nothing was applied; a retry may succeed. */
  | "race"
  /** A change set that no decision may make. Nothing was applied. */
  | "mistake"
  /** Nothing was applied, and no request can be served now. */
  | "unavailable"
  /** The connection was lost while the statement ran: it may have been applied. */
  | "unknown"
  /** A bug of this adapter. */
  | "defect"

/** Raised by the commit functions for a change set that no decision may make. */
const mistakeCode = "CS001"

const races: ReadonlyArray<string> = ["40001", "40P01", "23505"]

// 53 resources, 28 authorization, 58 system error, 57014 statement timeout or cancel, 57P03 starting up, 55P03 lock timeout,
// 25006 read-only standby, 3D000 no such database, CS004 the cell is on another node.
const unavailable = /^(?:53|28|58)|^(?:57014|57P03|55P03|25006|3D000|CS004)$/u

/** The server ended the session while a statement ran, perhaps after a commit whose result was not sent yet. */
const sessionEnded = /^(?:08|57P01|57P02|57P04|57P05|25P03|25P04)/u

/** A statement was not sent, because there was no connection. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super("no connection to the database", { cause })
    this.name = "NotConnected"
  }
}

/** The SQLSTATE of an error; `undefined` for an error that is not the server's. */
export const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined
  const { code } = error
  // Node's own errors have codes too (ECONNRESET, EPIPE); a SQLSTATE has five characters and a severity.
  return typeof code === "string" && /^[0-9A-Z]{5}$/u.test(code) && "severity" in error ? code : undefined
}

const severityOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "severity" in error ? `${error.severity}` : ""

/**
 * Whether the error ended the session: a PANIC ends all sessions of the server, a FATAL this one. PGlite, which runs in this process, ends
 * with the errors of its runtime.
 */
export const endsSession = (error: unknown): boolean =>
  ["PANIC", "FATAL"].includes(severityOf(error)) ||
  (typeof error === "object" &&
    error !== null &&
    "name" in error &&
    /^(?:RuntimeError|ExitStatus)$/u.test(`${error.name}`))

/**
 * Whether a session cannot be used any more after an error of a server over a network: after one that the server reported it can, after any
 * other its state is unknown.
 */
export const breaksSession = (error: unknown): boolean => {
  const code = codeOf(error)
  // 25006: the host has become a standby.
  return code === undefined || /^(?:08|57P|25006|25P0[34])/u.test(code)
}

/** The DETAIL of a server's error; `""` for other errors. */
export const detailOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "detail" in error && typeof error.detail === "string"
    ? error.detail
    : ""

/** The driver `pg` rejects a statement before it sends anything, if it knows that the connection of the client is lost. */
const wasNotSent = (error: unknown): boolean =>
  error instanceof NotConnected || (error instanceof Error && error.message.endsWith("is not queryable"))

export const failureOf = (error: unknown): Failure => {
  if (wasNotSent(error)) return "unavailable"
  const code = codeOf(error)
  if (code === undefined) return error instanceof TypeError || error instanceof RangeError ? "defect" : "unknown"
  if (severityOf(error) === "PANIC") return "unknown"
  if (races.includes(code)) return "race"
  if (code === mistakeCode) return "mistake"
  if (sessionEnded.test(code)) return "unknown"
  return unavailable.test(code) ? "unavailable" : "defect"
}
