/**
 * Seals the roots of wallet keys to a wallet secret, and opens them. The key pair of the seal is derived from the secret; neither of its
 * keys is stored, so that only a holder of the secret can seal a root that opens.
 * Source: D-346.
 */
import { Effect, Redacted } from "effect"
import { P256 } from "../../foundation/crypto/P256.ts"
import * as Sealed from "../../foundation/crypto/Sealed.ts"
import type { SealedRoot, WalletRoot } from "../../model/wallet/WalletRoot.ts"
import { rootIdOf, sealSeedOf, secretBytes } from "../../ports/KeyVault.ts"

export type Root = Redacted.Redacted<Uint8Array>

/** Names a wallet secret. */
export const secretIdOf = (secret: Redacted.Redacted): string => rootIdOf(secretBytes(secret))

const keyOf = (secret: Redacted.Redacted) => P256.use((p256) => p256.derive(sealSeedOf(secretBytes(secret))))

/** Seals a root to a secret. */
export const sealRoot = Effect.fnUntraced(function* (secret: Redacted.Redacted, root: Root) {
  const { publicKey } = yield* keyOf(secret)
  const sealed = yield* Sealed.seal(publicKey, Redacted.value(root))
  return { rootId: rootIdOf(root), ...Sealed.toText(sealed) } satisfies SealedRoot
})

/** Seals roots to a secret. */
export const sealRoots = Effect.fnUntraced(function* (
  secret: Redacted.Redacted,
  [first, ...more]: readonly [Root, ...ReadonlyArray<Root>],
) {
  const roots = [
    yield* sealRoot(secret, first),
    ...(yield* Effect.forEach(more, (root) => sealRoot(secret, root))),
  ] as const
  return { secretId: secretIdOf(secret), roots } satisfies WalletRoot
})

/** Opens a root. Returns `undefined` if the secret is another one, or the record was changed. */
export const openRoot = Effect.fnUntraced(function* (secret: Redacted.Redacted, { rootId, ...text }: SealedRoot) {
  const sealed = Sealed.fromText(text)
  if (sealed === undefined) return undefined
  const opened = yield* Effect.option(Sealed.open(yield* keyOf(secret), sealed))
  if (opened._tag === "None") return undefined
  const root = Redacted.make(opened.value, { label: "wallet root" })
  return rootIdOf(root) === rootId ? root : undefined
})

/** Opens all roots. Returns `undefined` if one does not open. */
export const openRoots = Effect.fnUntraced(function* (
  secret: Redacted.Redacted,
  { roots: [first, ...more] }: WalletRoot,
) {
  const opened: [Root | undefined, ...Array<Root | undefined>] = [
    yield* openRoot(secret, first),
    ...(yield* Effect.forEach(more, (root) => openRoot(secret, root))),
  ]
  const isOpen = (roots: typeof opened): roots is [Root, ...Array<Root>] => roots.every((root) => root !== undefined)
  return isOpen(opened) ? opened : undefined
})
