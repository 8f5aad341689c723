/**
 * One row per operation: who may call it, with which permission, what it is confined to, which proof it needs beside its credentials, and what
 * it leaves in the audit. The rows are written from the wire contract, not from the definitions of the product.
 * Source: wire contract 1, 4.7, 9 and 11 (30, 31, 60); wire contract areas 1.
 */

export const permissions = ["VIEW", "TRANSACT", "MANAGE"] as const
export const agentPermissions = [
  "VIEW_TRANSACTIONS",
  "CREATE_TRANSFERS",
  "CREATE_QUOTES",
  "EXECUTE_QUOTES",
  "MANAGE_EXTERNAL_ACCOUNTS",
] as const
export type Permission = (typeof permissions)[number]

/** What is needed to call: a permission of an API token (or all), a permission of an agent (or its token alone), or no credentials. */
const needs = [...permissions, "ALL", ...agentPermissions, "TOKEN", "NOBODY"] as const

/**
 * `own`: the path names a record of the platform, which exists for no other. `creator`: every platform may read it, and only its own changes it.
 * `names`: the body or the query names records of the platform. `lists`: it shows or adds
 * records of the platform and names none. `everyone`: the same for all platforms. `server`: it concerns the store of all platforms.
 * `customer`: the path names a record of the agent's customer. `agent`: it names one that this agent itself made.
 */
const scopes = ["own", "creator", "names", "lists", "everyone", "server", "customer", "agent"] as const

/**
 * `signed`: a wallet's owner signs the second call. `signed?`: in some cases. `region`: only for customers under strong authentication.
 * `login`: such a customer's login is needed, too.
 */
const proofs = ["signed", "signed?", "region", "login"] as const

export interface Row {
  /** Method and path as in the document: `GET /agents/{agentId}`. */
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly caller: "platform" | "agent" | "nobody"
  readonly needs: (typeof needs)[number]
  readonly scope: (typeof scopes)[number]
  /** Whether a session of the console may call it, as far as its API token may. */
  readonly isForConsole: boolean
  readonly proof: (typeof proofs)[number] | undefined
  /** The operations of its audit records. `isAlways`: each success leaves one; otherwise some do. */
  readonly audit: ReadonlyArray<{ readonly operation: string; readonly isAlways: boolean }>
  readonly source: string
}

const isOneOf = <A extends string>(all: ReadonlyArray<A>, text: string): text is A => all.some((one) => one === text)

const callerOf = (needed: Row["needs"]): Row["caller"] => {
  if (needed === "NOBODY") return "nobody"
  return needed === "TOKEN" || isOneOf(agentPermissions, needed) ? "agent" : "platform"
}

const auditMark = /^[A-Z_]+\??$/u

const rowOf = (sectionSource: string, line: string): Row => {
  const [columns = "", ownSource] = line.split(" # ")
  const [method = "", path = "", needed = "", scope = "", ...marks] = columns.trim().split(/\s+/u)
  const unreadable = (what: string) => new Error(`the row "${line.trim()}" has ${what}`)
  if (!isOneOf(needs, needed)) throw unreadable(`no permission: ${needed}`)
  if (!isOneOf(scopes, scope)) throw unreadable(`no scope: ${scope}`)
  const unknown = marks.filter((mark) => mark !== "console" && !isOneOf(proofs, mark) && !auditMark.test(mark))
  if (unknown.length > 0) throw unreadable(`the unknown mark ${unknown.join(" ")}`)
  const audit = marks.filter((mark) => auditMark.test(mark))
  const proof = marks.find((mark) => isOneOf(proofs, mark))
  return {
    operation: `${method} ${path}`,
    method,
    path,
    caller: callerOf(needed),
    needs: needed,
    scope,
    isForConsole: marks.includes("console"),
    proof: proof !== undefined && isOneOf(proofs, proof) ? proof : undefined,
    audit: audit.map((mark) => ({ operation: mark.replace("?", ""), isAlways: !mark.endsWith("?") })),
    source: ownSource === undefined ? sectionSource : `${sectionSource}; ${ownSource.trim()}`,
  }
}

/**
 * Reads rows of the form `METHOD path permission scope [console] [proof] [AUDIT_RECORD …] [# source]`. An audit record with `?` is left by some
 * successes only.
 */
export const rows = (source: string, text: string): ReadonlyArray<Row> =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => rowOf(source, line))
