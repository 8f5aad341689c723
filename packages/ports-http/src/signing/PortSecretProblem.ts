/**
 * What is wrong with the secrets of the contract. A problem never shows a secret.
 * Source: D-341, D-527.
 */
import { weaknessOf } from "@countersign/core/ports"
import { Redacted } from "effect"

/** The shortest secret, in characters. */
const portSecretMin = 32

/** The new secret and the one before it. */
const portSecretsMax = 2

/** Returns the first problem; `undefined`: the secrets can be used. */
export const portSecretProblem = (secrets: ReadonlyArray<Redacted.Redacted>): string | undefined => {
  if (secrets.length === 0) return "a secret is needed"
  if (secrets.length > portSecretsMax) return `at most ${portSecretsMax} secrets are valid at a time`
  return secrets.map((secret) => weaknessOf(Redacted.value(secret), portSecretMin)).find((found) => found !== undefined)
}
