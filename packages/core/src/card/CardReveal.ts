/**
 * That a card was shown: to whom it was given, and when. Never the address that shows it.
 * Spec: 4.4 (every reveal is audit-logged).
 */
import { Schema } from "effect"

/** What is stored of a reveal; its time is that of the record. */
export const CardReveal = Schema.Struct({
  cardId: Schema.String,
  /** The API token that asked. */
  tokenId: Schema.String,
})
export type CardReveal = typeof CardReveal.Type
