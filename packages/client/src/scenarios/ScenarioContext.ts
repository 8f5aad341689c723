/**
 * What a scenario needs: a sandbox behind its interface, so that the same scenario runs in a test, in a server and at any address.
 * Source: D-234.
 */
import type { Client } from "../call/Client.ts"
import type { WalletCrypto } from "../signed/WalletCrypto.ts"

export interface ScenarioContext {
  /** Client of the platform. */
  readonly client: Client
  /** Returns the client of an agent, by its token. */
  readonly clientOf: (as: { readonly token: string }) => Client
  /** Cryptography of wallets; random keys by default. */
  readonly wallet?: WalletCrypto
  /** Reads until the value is as expected, while the sandbox works; rejects when it never is. */
  readonly until: <A>(read: () => Promise<A>, isExpected: (value: A) => boolean) => Promise<A>
}
