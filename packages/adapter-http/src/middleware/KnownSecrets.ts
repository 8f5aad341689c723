/**
 * The secrets that masking found in one request, for the second look: where a caller repeats one in another place, it is masked there, too.
 * Source: D-464.
 */
import { SecretMask } from "@countersign/core"

/** A shorter text may be a part of others that have nothing to do with it. */
const containedMin = 16
const wholeMin = 4
const secretsMax = 200

export interface KnownSecrets {
  readonly add: (value: unknown) => void
  /** Masks them in JSON. */
  readonly inJson: (json: string) => string
  /** Masks them in another text. */
  readonly inText: (text: string) => string
}

const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : []
}

export const knownSecrets = (): KnownSecrets => {
  const known = new Set<string>()
  return {
    add: (value) => {
      for (const text of textsOf(value)) if (text.length >= wholeMin && known.size < secretsMax) known.add(text)
    },
    inJson: (json) => {
      let masked = json
      for (const secret of known) {
        const quoted = JSON.stringify(secret)
        masked = masked.replaceAll(quoted, `"${SecretMask.mask}"`)
        if (secret.length >= containedMin) masked = masked.replaceAll(quoted.slice(1, -1), SecretMask.mask)
      }
      return masked
    },
    inText: (text) => {
      let masked = text
      for (const secret of known) {
        if (masked === secret) return SecretMask.mask
        if (secret.length >= containedMin) masked = masked.replaceAll(secret, SecretMask.mask)
      }
      return masked
    },
  }
}
