/**
 * The addresses in one address with several hosts, as in `postgres://user@a:5432,b:5432/data`.
 * Source: PostgreSQL manual, 32.1.1 (connection strings: several hosts, `target_session_attrs`); D-508.
 */

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
