/** The reason why a database cannot be used, in a few words, from the error of any driver. */

/** By SQLSTATE and by the error codes of Node's sockets. */
const reasons: Readonly<Record<string, string>> = {
  "08P01": "a pooler is there that refuses the settings of a session: name the server behind it, too (--store-direct)",
  "28000": "the user is refused",
  "28P01": "the user or the password is wrong",
  "3D000": "there is no such database",
  "42501": "the user may not create or use the schema",
  "53300": "the server has no connection left",
  "57P03": "the server is starting up or shutting down",
  ECONNREFUSED: "connection refused: no server listens there",
  ECONNRESET: "the server ended the connection",
  EACCES: "no permission to connect",
  EAI_AGAIN: "the host's name cannot be resolved now",
  EHOSTUNREACH: "the host cannot be reached",
  ENOENT: "no server listens there",
  ENOTFOUND: "there is no such host",
  // A write may fail before the end of the connection is read.
  EPIPE: "the server ended the connection",
  ETIMEDOUT: "the server does not answer",
}

/** The error and its causes, innermost first. */
const causesOf = (error: unknown): ReadonlyArray<unknown> =>
  typeof error === "object" && error !== null && "cause" in error ? [...causesOf(error.cause), error] : [error]

const knownReason = (error: unknown): string | undefined => {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
  return typeof code === "string" ? reasons[code] : undefined
}

const messageOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  // The driver has no code for it.
  if (/client password must be a/u.test(message)) return "the server asks for a password: give it in PGPASSWORD"
  return /timeout/iu.test(message) ? "the server does not answer" : (message.split("\n")[0] ?? "")
}

/** Returns why a database cannot be used: by a code of the error or its causes, otherwise the first line of the innermost message. */
export const reasonOf = (error: unknown): string => {
  const causes = causesOf(error)
  return causes.map(knownReason).find((reason) => reason !== undefined) ?? messageOf(causes[0])
}
