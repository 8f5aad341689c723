/** The world of the card model: the service under test and the model of it, side by side. */
import type { Harness } from "../harness/Harness.ts"

/** A cardholder with two accounts of one currency, and two cards on them. */
export type CardModelWorld = Harness & {
  readonly customerId: string
  readonly accounts: readonly [string, string]
  readonly cards: readonly [string, string]
  /** Sees to it that the cardholder, who has a wallet credential, is signed in; absent: there is none, and nobody signs. */
  readonly signIn?: () => Promise<void>
}
