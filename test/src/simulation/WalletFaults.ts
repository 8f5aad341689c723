/** The faults of assertions, attestations and tokens that a seed determines: the others draw random numbers of their own. */
import type { AssertionFault, AttestationFault, OidcFault } from "@countersign/test"

export const assertionFaults: readonly [AssertionFault, ...ReadonlyArray<AssertionFault>] = [
  "clientData",
  "challenge",
  "origin",
  "relyingParty",
  "userPresence",
  "signature",
  "counter",
]

export const attestationFaults: readonly [AttestationFault, ...ReadonlyArray<AttestationFault>] = [
  "challenge",
  "userPresence",
  "noKey",
  "format",
]

export const oidcFaults: readonly [OidcFault, ...ReadonlyArray<OidcFault>] = [
  "issuer",
  "twoAudiences",
  "noSubject",
  "noIssueTime",
  "noExpiry",
  "future",
  "tooOld",
  "expired",
  "otherSubject",
  "nonceOfAnotherKey",
]
