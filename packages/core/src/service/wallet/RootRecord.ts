/**
 * Opens the record of a store's roots with the deployment's wallet secrets, and seals it again.
 * Source: D-345, D-346, D-364.
 */
import { Data, Effect, type Redacted } from "effect"
import type { WalletRoot } from "../../model/wallet/WalletRoot.ts"
import { openRoot, openRoots, type Root, sealRoot, sealRoots, secretIdOf } from "./SealedRoots.ts"

/** The wallet secrets of a deployment: the present one, and the one before it while the deployment changes to the present one. */
export type WalletSecrets = readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]

/** None of the given secrets opens the store's roots. */
export class OtherWalletSecret extends Data.TaggedError("OtherWalletSecret")<{
  readonly stored: string
  readonly given: ReadonlyArray<string>
}> {
  override get message(): string {
    return `the wallets of this store are derived from another wallet secret (${this.stored}) than the given one (${this.given.join(", ")})`
  }
}

/** The secret is the right one, and the store's record does not open: it was changed. */
export class DamagedWalletRoot extends Data.TaggedError("DamagedWalletRoot")<{
  readonly secretId: string
}> {
  override get message(): string {
    return `the wallet roots of this store, sealed to the secret ${this.secretId}, were changed: restore their record from a backup`
  }
}

/** The opened roots of a record, in its order. */
export interface OpenedRoots {
  /** The root of the service's own keys; `undefined`: the first root of wallets. */
  readonly service: Root | undefined
  readonly roots: readonly [Root, ...ReadonlyArray<Root>]
}

/** The secret to which a record is sealed. */
const secretOf = (secrets: WalletSecrets, { secretId }: WalletRoot) => {
  const secret = secrets.find((each) => secretIdOf(each) === secretId)
  return secret === undefined
    ? Effect.fail(new OtherWalletSecret({ stored: secretId, given: secrets.map(secretIdOf) }))
    : Effect.succeed(secret)
}

/** Opens a record with that of the secrets to which it is sealed. */
export const openRecord = Effect.fnUntraced(function* (secrets: WalletSecrets, record: WalletRoot) {
  const secret = yield* secretOf(secrets, record)
  const roots = yield* openRoots(secret, record)
  const service = record.service && (yield* openRoot(secret, record.service))
  if (roots === undefined || (record.service !== undefined && service === undefined)) {
    return yield* new DamagedWalletRoot({ secretId: record.secretId })
  }
  return { roots, service } satisfies OpenedRoots
})

/** Seals the roots of a record to the first of the secrets. */
export const resealRecord = Effect.fnUntraced(function* (secrets: WalletSecrets, record: WalletRoot) {
  const { roots, service } = yield* openRecord(secrets, record)
  const sealed = yield* sealRoots(secrets[0], roots)
  return {
    ...record,
    ...sealed,
    ...(service === undefined ? {} : { service: yield* sealRoot(secrets[0], service) }),
  } satisfies WalletRoot
})

/** Seals another root to the secret of a record. Fails unless the roots of the record open with it. */
export const sealBeside = Effect.fnUntraced(function* (secrets: WalletSecrets, record: WalletRoot, root: Root) {
  yield* openRecord(secrets, record)
  return yield* sealRoot(yield* secretOf(secrets, record), root)
})
