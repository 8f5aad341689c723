/**
 * Remembers which tenants have which credentials, so that a request has its tenant's turn before its credentials are checked again.
 * Source: D-363. It authenticates nobody: it keeps hashes of credentials that were right when they were checked last.
 */
import { hash } from "node:crypto"

export interface KnownTenants {
  readonly of: (credentials: string | undefined) => string | undefined
  readonly remember: (credentials: string, tenant: string) => void
  /** Forgets credentials that were wrong. */
  readonly forget: (credentials: string) => void
}

const hashOf = (credentials: string): string => hash("sha256", credentials, "base64")

/** The credentials that were remembered first make room for others. */
export const make = (max = 10_000): KnownTenants => {
  const tenants = new Map<string, string>()
  return {
    of: (credentials) => (credentials === undefined ? undefined : tenants.get(hashOf(credentials))),
    remember: (credentials, tenant) => {
      const key = hashOf(credentials)
      const [first] = tenants.size < max || tenants.has(key) ? [] : tenants.keys()
      if (first !== undefined) tenants.delete(first)
      tenants.set(key, tenant)
    },
    forget: (credentials) => void tenants.delete(hashOf(credentials)),
  }
}
