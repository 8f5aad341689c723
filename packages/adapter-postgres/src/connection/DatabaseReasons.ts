/** Why a database cannot be used, in a few words for people, from whatever its driver said. */

/** By SQLSTATE, and by the codes of Node's sockets. */
const reasons: Readonly<Record<string, string>> = {
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
  ETIMEDOUT: "the server does not answer",
}

/** The error itself, and what it came from, from the innermost outwards. */
const chain = (error: unknown): ReadonlyArray<unknown> =>
  typeof error === "object" && error !== null && "cause" in error ? [...chain(error.cause), error] : [error]

const knownReason = (error: unknown): string | undefined => {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
  return typeof code === "string" ? reasons[code] : undefined
}

const told = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  return /timeout/iu.test(message) ? "the server does not answer" : (message.split("\n")[0] ?? "")
}

export const reasonOf = (error: unknown): string => {
  const all = chain(error)
  return all.map(knownReason).find((found) => found !== undefined) ?? told(all[0])
}
