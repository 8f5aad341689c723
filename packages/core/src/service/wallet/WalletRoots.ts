/**
 * Holds a deployment's wallet secret against that of its store: with another one every wallet would have other keys.
 * Source: D-345.
 */
import { Data, Effect } from "effect"
import { answer, refuse } from "../../decision/Decision.ts"
import * as Operation from "../../operation/Operation.ts"
import { KeyVault } from "../../ports/KeyVault.ts"
import { CurrentCaller, tenant } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { walletRootClaim } from "../../store/Claims.ts"
import { Store } from "../../store/Store.ts"

/** The store's wallets have keys of another secret. */
export class OtherWalletSecret extends Data.TaggedError("OtherWalletSecret")<{
  readonly stored: string
  readonly given: string
}> {
  override get message(): string {
    return `the wallets of this store are derived from another wallet secret (${this.stored}) than the given one (${this.given})`
  }
}

/** The record belongs to the deployment, and to none of its platforms. */
const deployment = "PlatformConfig:00000000-0000-4000-8000-000000000000"
const recordId = "WalletRoot"

const storedRootId = Effect.gen(function* () {
  const store = yield* Store
  const found = yield* store.resolve(walletRootClaim)
  return found?.kind === "WalletRoot" ? found.data.rootId : undefined
})

const insert = (rootId: string) =>
  Operation.run({
    name: "WalletRoots.insert",
    load: () => Effect.void,
    decide: (_loaded, { rejections }) =>
      rejections.length > 0
        ? refuse({ code: "CONFLICT", message: "The store has a wallet secret." })
        : answer(
            201,
            null,
            Changes.insert("WalletRoot", recordId, { platformId: deployment, customerId: null }, { rootId }),
          ),
  }).pipe(Effect.provideService(CurrentCaller, tenant(deployment)))

/** Fails with `OtherWalletSecret` unless the vault has the store's secret. The first start of a store decides which one that is. */
export const checkWalletRoot = Effect.gen(function* () {
  const { rootId } = yield* KeyVault
  const before = yield* storedRootId
  // Another process that starts at the same time may insert it first.
  if (before === undefined) yield* Effect.catchTag(insert(rootId), "ServiceError", () => Effect.void)
  const stored = before ?? (yield* storedRootId) ?? rootId
  if (stored !== rootId) return yield* new OtherWalletSecret({ stored, given: rootId })
})
