/**
 * The proof of a UMA domain: the platform's default domain needs none, the other domains of the deployment cannot be proven, and
 * any other domain needs a DNS record that names the platform.
 * Source: D-115, D-348.
 */
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"

/** The domain that a platform has until it configures one; the platform's id makes it unique. */
export const defaultUmaDomain = (platformId: string, deploymentDomain: string): string =>
  `${platformId.slice(-12)}.${deploymentDomain}`

/**
 * Returns the subdomain for a domain: its first label, followed by a number after a collision with another platform's. The number begins at
 * one that depends on the platform, so that few attempts find a free one. Source: wire contract areas 2.9; D-404.
 */
export const proxySubdomainOf = (platformId: string, domain: string, collisions: number): string => {
  const [label = domain] = domain.split(".")
  if (collisions === 0) return label
  return `${label}${((Number.parseInt(platformId.slice(-5), 16) || 0) + collisions) % 1_000_000}`
}

/** The TXT record that proves a domain. It names the platform, so that no other platform can use it. */
export const domainRecordOf = (platformId: string, domain: string) => ({
  name: `_uma-platform.${domain}`,
  value: `platform=${platformId}`,
})

/** What a domain needs as a proof, before the port is asked. */
export const proofOf = (
  platformId: string,
  domain: string,
  deploymentDomain: string,
): "NONE" | "IMPOSSIBLE" | "RECORD" => {
  if (domain === defaultUmaDomain(platformId, deploymentDomain)) return "NONE"
  return domain === deploymentDomain || domain.endsWith(`.${deploymentDomain}`) ? "IMPOSSIBLE" : "RECORD"
}

/** Refuses a domain without a proof. A domain of another platform is refused in the same words, so that no answer names its owner. */
export const domainNotProven = (platformId: string, domain: string): Refusal => {
  const { details, ...refusal } = invalidInput([
    {
      field: "umaDomain",
      message: "must be a domain that the DNS record proves to be the platform's",
      constraint: { record: { type: "TXT", ...domainRecordOf(platformId, domain) } },
    },
  ])
  return { ...refusal, details: { ...details, reason: "DOMAIN_NOT_PROVEN" } }
}

export const domainUnknown: Refusal = {
  code: "SERVICE_UNAVAILABLE",
  message: "The DNS record of the domain cannot be read now. Try again.",
  details: { reason: "DOMAIN_UNKNOWN" },
}
