/**
 * Proof that a platform owns the domain of its UMA addresses: a DNS record that names the platform. Read-only. The default proves
 * no domain.
 * Source: D-348.
 */
import { Context, Effect } from "effect"

/** A TXT record that only the domain's owner can publish. */
export interface DomainRecord {
  readonly name: string
  readonly value: string
}

/** A platform's claim to a domain, with the record that proves it. */
export interface DomainClaim {
  /** In lower case, without a final dot. */
  readonly domain: string
  readonly platformId: string
  /** Its name and value are the service's choice: the port only looks whether it is published. */
  readonly record: DomainRecord
}

/** `UNKNOWN`: the port cannot tell now, for example because a name server does not answer. */
export type DomainAnswer = "PROVEN" | "NOT_PROVEN" | "UNKNOWN"

export const DomainOwnership = Context.Reference<{
  readonly check: (claim: DomainClaim) => Effect.Effect<DomainAnswer>
}>("@countersign/core/DomainOwnership", {
  defaultValue: () => ({ check: () => Effect.succeed("NOT_PROVEN") }),
})
