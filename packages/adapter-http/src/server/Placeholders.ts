/**
 * Identifiers in examples that stand for a record of the reader. Each is a different record, which `assets/reference-ids.js` finds.
 * Source: D-484.
 */
import type { IdType } from "@countersign/core/models"

const idOf = (type: IdType, record = 1): string => `${type}:00000000-0000-4000-8000-00000000000${record}`

export const placeholders = {
  idOf,
  customer: idOf("Customer"),
  business: idOf("Customer", 2),
  /** Of a region that requires strong customer authentication and confirmed contacts. */
  regulated: idOf("Customer", 3),
  internal: idOf("InternalAccount"),
  wallet: idOf("InternalAccount", 2),
  bitcoin: idOf("InternalAccount", 3),
  external: idOf("ExternalAccount"),
  /** At the Spark network, to which stablecoins are minted. */
  spark: idOf("ExternalAccount", 2),
  platforms: idOf("ExternalAccount", 3),
  inviter: "$ada@platform.example",
} as const
