/**
 * What a failed statement means: whether it is tried again, whether the database is away, and whether a commit may have happened.
 * Source: ports/Store.ts (StoreUnavailable); PostgreSQL manual, appendix A (error codes).
 */

export type Failure =
  /** Somebody else was faster, or waited for us: nothing was applied; the same again may succeed. */
  | "race"
  /** A change set that no decision may make. */
  | "mistake"
  /** Nothing was applied, and nobody can be served now. */
  | "unavailable"
  /** The connection went while the statement ran: it may have been applied. */
  | "unknown"
  /** A fault of this adapter. */
  | "defect"

/** Raised by the commit functions. */
const mistakeCode = "CS001"

const races: ReadonlyArray<string> = ["40001", "40P01", "23505"]

// 08 connection, 53 resources, 57014 statement timeout or cancel, 57P03 starting up, 55P03 lock timeout, 25006 read-only standby,
// 28 authorisation, 3D000 the database is not there, 58 system error.
const unavailable = /^(?:53|28|58)|^(?:57014|57P03|55P03|25006|3D000)$/u

/** The server gives the session up in the middle of whatever it did: also after a commit whose answer was still to come. */
const ended = /^(?:08|57P01|57P02|57P04|57P05|25P03|25P04)/u

/** A statement that was never sent, for there was no connection. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super("no connection to the database", { cause })
    this.name = "NotConnected"
  }
}

/** The SQLSTATE of an error, if the server named one. */
export const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined
  const { code } = error
  // Node's own errors have codes too (ECONNRESET, EPIPE); a SQLSTATE has five characters and a severity.
  return typeof code === "string" && /^[0-9A-Z]{5}$/u.test(code) && "severity" in error ? code : undefined
}

const severityOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "severity" in error ? `${error.severity}` : ""

/**
 * Whether it was the last that the server said: a PANIC ends all its sessions, a FATAL this one. A server within this process ends with
 * errors of its own.
 */
export const hasEnded = (error: unknown): boolean =>
  ["PANIC", "FATAL"].includes(severityOf(error)) ||
  (typeof error === "object" &&
    error !== null &&
    "name" in error &&
    /^(?:RuntimeError|ExitStatus)$/u.test(`${error.name}`))

/** What a server says beside the message of an error. */
export const detailOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "detail" in error && typeof error.detail === "string"
    ? error.detail
    : ""

/** The driver `pg` refuses a statement on a client whose connection it knows to be gone, before anything is sent. */
const wasNotSent = (error: unknown): boolean =>
  error instanceof NotConnected || (error instanceof Error && error.message.endsWith("is not queryable"))

export const failureOf = (error: unknown): Failure => {
  if (wasNotSent(error)) return "unavailable"
  const code = codeOf(error)
  if (code === undefined) return error instanceof TypeError || error instanceof RangeError ? "defect" : "unknown"
  if (severityOf(error) === "PANIC") return "unknown"
  if (races.includes(code)) return "race"
  if (code === mistakeCode) return "mistake"
  if (ended.test(code)) return "unknown"
  return unavailable.test(code) ? "unavailable" : "defect"
}
