/**
 * Where a named world is set up: a sandbox behind its own interface, so that the same world stands in a test, in a server and at any address.
 * Source: D-234.
 */
import type { Client } from "../call/Client.ts"
import type { WalletCrypto } from "../signed/WalletCrypto.ts"

export interface ScenarioContext {
  /** The platform's. */
  readonly client: Client
  /** Another sender's: an agent's by its token. */
  readonly clientOf: (as: { readonly token: string }) => Client
  /** The keys of whoever has a wallet; by default drawn, and the same everywhere else. */
  readonly wallet?: WalletCrypto
  /** Reads again until it fits, while the sandbox works; rejects when it never does. */
  readonly until: <A>(read: () => Promise<A>, fits: (found: A) => boolean) => Promise<A>
}
