/**
 * Rules that permit the retirement of a wallet root.
 * Source: D-364.
 */
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import { iso } from "../../foundation/kit/Instant.ts"
import * as Rules from "../../foundation/kit/Rules.ts"
import { firstRootId, retirementDelayMillis, type WalletRoot } from "./WalletRoot.ts"

export interface RetirementFacts {
  readonly record: WalletRoot
  readonly rootId: string
  /** The open wallets whose keys come from the root. */
  readonly wallets: number
  /** The delegated keys that come from the root and are not revoked. */
  readonly delegatedKeys: number
  readonly now: number
}

const refusal = (
  reason: string,
  message: string,
  details: Readonly<Record<string, number | string>> = {},
): Refusal => ({
  code: "CONFLICT",
  message,
  details: { reason, ...details },
})

export const RetirementRules = Rules.make<RetirementFacts, Refusal>("WalletRootRetirement", [
  [
    "ROOT_KNOWN",
    ({ record, rootId }) =>
      record.roots.some((root) => root.rootId === rootId)
        ? undefined
        : refusal("ROOT_UNKNOWN", `The store has no wallet root ${rootId}.`),
  ],
  [
    "NOT_NEWEST",
    ({ record, rootId }) =>
      record.roots.at(-1)?.rootId === rootId
        ? refusal("NEWEST_ROOT", "New wallets use this root. Add another one first.")
        : undefined,
  ],
  [
    "NOT_OF_SERVICE",
    ({ record, rootId }) =>
      record.service === undefined && firstRootId(record) === rootId
        ? refusal(
            "SERVICE_ROOT",
            "The service's own keys come from this root, because the store began with one root for both.",
          )
        : undefined,
  ],
  [
    "NO_WALLET",
    ({ delegatedKeys, wallets }) =>
      wallets + delegatedKeys > 0
        ? refusal(
            "ROOT_IN_USE",
            `The keys of ${wallets} wallets and ${delegatedKeys} delegated keys come from this root.`,
            {
              wallets,
              delegatedKeys,
            },
          )
        : undefined,
  ],
  [
    "NEWEST_SETTLED",
    ({ now, record: { newestSince = 0 } }) => {
      const from = newestSince + retirementDelayMillis
      return now < from
        ? refusal(
            "NEWEST_ROOT_TOO_NEW",
            `A process may still make a wallet of this root. Retire it from ${iso(from)} on.`,
            {
              from: iso(from),
            },
          )
        : undefined
    },
  ],
])
