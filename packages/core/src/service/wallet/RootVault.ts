/**
 * The vault over the roots of a store, and the root that a wallet's keys come from. A process opens a root that was added after its start when
 * it meets the first wallet of it. It asks the store for the newest root before it makes a wallet.
 * Source: D-346, D-364.
 */
import { Effect } from "effect"
import type { Hpke } from "../../foundation/crypto/Hpke.ts"
import type { P256 } from "../../foundation/crypto/P256.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { firstRootId, type WalletRoot } from "../../model/wallet/WalletRoot.ts"
import { deriveFrom, type KeyPurpose, KeyVault, type WalletPurpose } from "../../ports/KeyVault.ts"
import { walletRootClaim } from "../../store/Claims.ts"
import { Store } from "../../store/Store.ts"
import { type OpenedRoots, openRecord, type WalletSecrets } from "./RootRecord.ts"

/** The stored record of the roots; `undefined`: no process has started on the store. */
export const storedRoots = Effect.gen(function* () {
  const found = yield* Store.use((store) => store.resolve(walletRootClaim))
  return found?.kind === "WalletRoot" ? found : undefined
})

const purposesOfWallets: ReadonlyArray<KeyPurpose> = ["wallet", "delegated-key"] satisfies ReadonlyArray<WalletPurpose>

/** Returns the vault of a process that has opened this record with its secrets. */
export const vaultOfRecord = Effect.fnUntraced(function* (
  secrets: WalletSecrets,
  record: WalletRoot,
  opened: OpenedRoots,
) {
  const crypto = yield* Effect.context<P256 | Hpke>()
  const roots = new Map(record.roots.map(({ rootId }, index) => [rootId, opened.roots[index]]))
  const service = opened.service ?? opened.roots[0]
  const first = firstRootId(record)

  const derive: KeyVault["Service"]["derive"] = (purpose, context, rootId = first) => {
    const root = purposesOfWallets.includes(purpose) ? roots.get(rootId) : service
    return root === undefined
      ? Effect.die(new Error(`The wallet root ${rootId} is not open in this process.`))
      : Effect.sync(() => deriveFrom(root, purpose, context))
  }

  const open = Effect.fnUntraced(function* (later: WalletRoot) {
    if (later.roots.every(({ rootId }) => roots.has(rootId))) return
    const reopened = yield* Effect.option(Effect.provideContext(openRecord(secrets, later), crypto))
    if (reopened._tag === "None") return
    later.roots.forEach(({ rootId }, index) => {
      roots.set(rootId, reopened.value.roots[index])
    })
  })

  return KeyVault.of({ derive, stored: { isOpen: (rootId) => roots.get(rootId) !== undefined, open } })
})

const closedRoot = new ServiceError({
  code: "SERVICE_UNAVAILABLE",
  message: "The key of this wallet cannot be derived at present. Try again later.",
  details: { reason: "WALLET_ROOT_CLOSED" },
})

/** Reports a root that only other processes can open: this one has an earlier secret. */
const refuseClosed = (rootId: string) =>
  Effect.andThen(
    Effect.logError(
      `The wallet root ${rootId} does not open: start this process with the store's present wallet secret.`,
    ),
    Effect.fail(closedRoot),
  )

/**
 * The root of the wallets that are made now: the newest that the store has and this process can open. `undefined`: the process has a root
 * of its own.
 */
export const newestRoot = Effect.gen(function* () {
  const { stored } = yield* KeyVault
  if (stored === undefined) return undefined
  const record = yield* storedRoots
  if (record === undefined) return undefined
  yield* stored.open(record.data)
  const newest = record.data.roots.findLast(({ rootId }) => stored.isOpen(rootId))
  return newest?.rootId ?? (yield* refuseClosed(record.data.roots[0].rootId))
})

/** Derives a key of a wallet from its root, which is opened first if it was added after the start of this process. */
export const deriveOfWallet = Effect.fnUntraced(function* (
  purpose: WalletPurpose,
  context: string,
  rootId: string | undefined,
) {
  const { derive, stored } = yield* KeyVault
  if (rootId === undefined) return yield* derive(purpose, context)
  if (stored?.isOpen(rootId) !== true) {
    const record = yield* storedRoots
    if (record !== undefined && stored !== undefined) yield* stored.open(record.data)
    if (stored?.isOpen(rootId) !== true) return yield* refuseClosed(rootId)
  }
  return yield* derive(purpose, context, rootId)
})
