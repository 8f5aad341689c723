/** The world of a history of cards. */
import type { Harness } from "../harness/Harness.ts"

/** A cardholder with two accounts of one currency, and two cards on them. */
export type CardModelWorld = Harness & {
  readonly customerId: string
  readonly accounts: readonly [string, string]
  readonly cards: readonly [string, string]
  /** Signs the cardholder in if the session has expired; absent if the cardholder has no wallet credential. */
  readonly signIn?: () => Promise<void>
}
