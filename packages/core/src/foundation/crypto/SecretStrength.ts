/**
 * Which secrets of an operator are too weak to protect money: short ones, repeated characters, and those that this repository shows.
 * Source: D-006, D-341.
 */

/** The shortest client secret of a deployment that strangers may reach, in characters. */
export const clientSecretMin = 20

/** A secret has at least as many different characters. */
const distinctMin = 8

/** Secrets that documentation, examples and tests show; everybody knows them. A test holds this list against the repository. */
export const knownSecrets: ReadonlySet<string> = new Set([
  "demo-secret",
  "host-secret",
  "first-secret-that-is-long-enough",
  "secret-of-the-second",
  "a-secret-that-nobody-logs",
  "a-secret-of-32-characters-or-more",
  "a secret of thirty-two characters",
  "the-vault-secret-of-a-test-world",
  "second-secret-that-is-long-enough",
  "a secret that only the holder has",
  "attacker-secret-of-32-characters",
])

/** Returns why a secret is too weak, without repeating it; `undefined` if it is strong enough. */
export const weaknessOf = (secret: string, lengthMin: number): string | undefined => {
  if (knownSecrets.has(secret)) return "is a secret that documentation or tests show, so everybody knows it"
  if (secret.length < lengthMin) return `has fewer than ${lengthMin} characters`
  return new Set(secret).size < distinctMin ? `has fewer than ${distinctMin} different characters` : undefined
}
