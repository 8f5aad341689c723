/**
 * Adds a root for new wallets, lists the roots with the wallets that depend on each, and retires one on which none depends.
 * Source: D-364.
 */
import { Effect } from "effect"
import { auditRecord } from "../../decision/audit/Audit.ts"
import { answer, refuse } from "../../decision/Decision.ts"
import { ServiceError } from "../../foundation/errors/ServiceError.ts"
import { firstRootId, type WalletRoot, walletRootsMax } from "../../model/wallet/WalletRoot.ts"
import { RetirementRules } from "../../model/wallet/WalletRootRules.ts"
import * as Operation from "../../operation/Operation.ts"
import type { RootUse } from "../../store/Books.ts"
import * as Changes from "../../store/Changes.ts"
import { Store } from "../../store/Store.ts"
import { sealBeside, type WalletSecrets } from "./RootRecord.ts"
import { storedRoots } from "./RootVault.ts"
import type { Root } from "./SealedRoots.ts"
import { asOperator, newRoot, noRoots } from "./WalletRoots.ts"

const tooManyRoots = {
  code: "CONFLICT",
  message: `A store has at most ${walletRootsMax} wallet roots. Retire one first.`,
  details: { reason: "TOO_MANY_ROOTS" },
} as const

const sealedBeside = Effect.fnUntraced(function* (secrets: WalletSecrets, record: WalletRoot | undefined, root: Root) {
  return record === undefined ? undefined : yield* sealBeside(secrets, record, root)
})

/** Adds a root. From now on, every process makes new wallets of it. */
export const addWalletRoot = Effect.fnUntraced(function* (secrets: WalletSecrets, operator: string) {
  const root = yield* newRoot
  const answered = yield* Operation.run({
    name: "WalletRoots.add",
    ids: 1,
    load: () => Effect.map(storedRoots, (found) => ({ found })),
    ask: ({ found }) => Effect.map(sealedBeside(secrets, found?.data, root), (added) => ({ added })),
    decide: ({ added, found }, context) => {
      if (found === undefined || added === undefined) return refuse(noRoots)
      if (found.data.roots.length >= walletRootsMax) return refuse(tooManyRoots)
      const { rootId } = added
      const { roots } = found.data
      const next: WalletRoot = { ...found.data, newestSince: context.now, roots: [...roots, added] }
      return answer(
        201,
        { rootId },
        Changes.combine(
          Changes.erase(found, next),
          auditRecord(context, "WALLET_ROOT_ADD", found, { details: { rootId } }),
        ),
      )
    },
  }).pipe(asOperator(operator))
  return answered.body
})

/** The wallets and delegated keys that depend on a root. */
export interface WalletRootUse {
  readonly rootId: string
  /** Whether new wallets are made of it. */
  readonly isNewest: boolean
  /** Whether the store has it. Keys of a root that the store does not have cannot be derived. */
  readonly isStored: boolean
  readonly wallets: number
  readonly delegatedKeys: number
}

const sumOf = (record: WalletRoot, uses: ReadonlyArray<RootUse>, rootId: string) => {
  const own = uses.filter((use) => (use.rootId ?? firstRootId(record)) === rootId)
  return {
    wallets: own.reduce((sum, { wallets }) => sum + wallets, 0),
    delegatedKeys: own.reduce((sum, { delegatedKeys }) => sum + delegatedKeys, 0),
  }
}

/** The record is read first, so that a root that is added meanwhile makes the commit a conflict. */
const loadUses = Effect.gen(function* () {
  const found = yield* storedRoots
  return { found, uses: yield* Store.use((store) => store.rootUses) }
})

/** Lists the roots, oldest first, with what depends on each. */
export const walletRoots = Effect.gen(function* () {
  const { found, uses } = yield* loadUses
  if (found === undefined) return yield* new ServiceError(noRoots)
  const record = found.data
  const stored = record.roots.map(({ rootId }) => rootId)
  const ids = [...new Set([...stored, ...uses.map(({ rootId }) => rootId ?? firstRootId(record))])]
  return ids.map(
    (rootId): WalletRootUse => ({
      rootId,
      isNewest: rootId === stored.at(-1),
      isStored: stored.includes(rootId),
      ...sumOf(record, uses, rootId),
    }),
  )
})

/** Removes a root and its seals from the store. The keys that came from it cannot be derived any more. */
export const retireWalletRoot = Effect.fnUntraced(function* (rootId: string, operator: string) {
  const answered = yield* Operation.run({
    name: "WalletRoots.retire",
    ids: 1,
    load: () => loadUses,
    decide: ({ found, uses }, context) => {
      if (found === undefined) return refuse(noRoots)
      const record = found.data
      const refused = RetirementRules.first({ record, rootId, now: context.now, ...sumOf(record, uses, rootId) })
      if (refused !== undefined) return refuse(refused.refusal)
      const [first, ...more] = record.roots.filter((root) => root.rootId !== rootId)
      if (first === undefined) throw new Error("The rules retired the only root.")
      const next: WalletRoot = { ...record, firstRootId: firstRootId(record), roots: [first, ...more] }
      return answer(
        200,
        { rootId },
        Changes.combine(
          Changes.erase(found, next),
          auditRecord(context, "WALLET_ROOT_RETIRE", found, { details: { rootId } }),
        ),
      )
    },
  }).pipe(asOperator(operator))
  return answered.body
})
