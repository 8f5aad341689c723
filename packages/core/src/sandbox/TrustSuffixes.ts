/**
 * The table of magic suffixes for the trust in an external account; any other suffix is challenged.
 * Source: wire contract areas 1.3.5.
 */
import * as Table from "../foundation/kit/Table.ts"

/** The last three characters of the account's main identifier. */
export const TrustSuffixes = Table.make("TrustSuffixes", {
  "108": "NO_CHALLENGE",
})
