/**
 * The addresses in one address with several hosts, as in `postgres://user@a:5432,b:5432/data`.
 * Source: PostgreSQL manual, 32.1.1 (connection strings: several hosts, `target_session_attrs`); D-508.
 */

import type { Host } from "./Connection.ts"

const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/su

const attribute = "target_session_attrs"

/** The store writes, so every session is one of a primary. */
const attributes: ReadonlyArray<string> = ["read-write", "primary"]

/**
 * Returns one address for each host, in order, without `target_session_attrs`; `undefined` for what is no address of PostgreSQL, or asks for
 * sessions that cannot write.
 */
export const hostsOf = (address: string): ReadonlyArray<string> | undefined => {
  const [, before, hosts, after] = parts.exec(address) ?? []
  if (before === undefined || hosts === undefined || after === undefined) return undefined
  const found: Array<string> = []
  for (const host of hosts.split(",")) {
    const one = `${before}${host}${after}`
    if (!URL.canParse(one) || (host === "" && hosts !== "")) return undefined
    const url = new URL(one)
    const wanted = url.searchParams.get(attribute)
    if (wanted !== null && !attributes.includes(wanted)) return undefined
    if (wanted === null) found.push(one)
    else {
      url.searchParams.delete(attribute)
      found.push(url.href)
    }
  }
  return found
}

/** The address of another server with the user, the database and the options of this one; `undefined`: those of the standard variables. */
export const addressOf = (address: string | undefined, { host, port }: Host): string => {
  const name = host.includes(":") ? `[${host}]` : host
  const [first] = (address === undefined ? undefined : hostsOf(address)) ?? []
  const [, before = "postgres://", , after = ""] = parts.exec(first ?? "") ?? []
  const made = `${before}${name}:${port}${after}`
  // Its message would repeat the password.
  if (!URL.canParse(made)) throw new Error(`a node of the cluster has the host ${host}, which is no address`)
  const url = new URL(made)
  for (const option of ["host", "port"]) url.searchParams.delete(option)
  return url.href
}
