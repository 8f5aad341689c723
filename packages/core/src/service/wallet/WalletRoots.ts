/**
 * Opens the roots of a store's wallet keys with the deployment's wallet secret, and seals them to a new one. Another secret than the
 * store's opens none: the process must not start.
 * Source: D-345, D-346.
 */
import { Data, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { auditRecord } from "../../decision/audit/Audit.ts"
import { answer, refuse } from "../../decision/Decision.ts"
import type { WalletRoot } from "../../model/wallet/WalletRoot.ts"
import * as Operation from "../../operation/Operation.ts"
import { KeyVault, vaultOfRoot } from "../../ports/KeyVault.ts"
import { CurrentCaller, operatorOf, tenant } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { walletRootClaim } from "../../store/Claims.ts"
import { Store } from "../../store/Store.ts"
import { openRoots, type Root, sealRoots, secretIdOf } from "./SealedRoots.ts"

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

/** The record belongs to the deployment, and to none of its platforms. */
const deployment = "PlatformConfig:00000000-0000-4000-8000-000000000000"
const recordId = "WalletRoot"
const rootBytes = 32

const stored = Effect.gen(function* () {
  const found = yield* Store.use((store) => store.resolve(walletRootClaim))
  return found?.kind === "WalletRoot" ? found : undefined
})

const insert = (data: WalletRoot) =>
  Operation.run({
    name: "WalletRoots.insert",
    load: () => Effect.void,
    decide: (_loaded, { rejections }) =>
      rejections.length > 0
        ? refuse({ code: "CONFLICT", message: "The store has a wallet root." })
        : answer(201, null, Changes.insert("WalletRoot", recordId, { platformId: deployment, customerId: null }, data)),
  }).pipe(Effect.provideService(CurrentCaller, tenant(deployment)))

/** Opens stored roots with that of the secrets to which they are sealed. */
const openWith = Effect.fnUntraced(function* (secrets: WalletSecrets, data: WalletRoot) {
  const secret = secrets.find((each) => secretIdOf(each) === data.secretId)
  if (secret === undefined) {
    return yield* new OtherWalletSecret({ stored: data.secretId, given: secrets.map(secretIdOf) })
  }
  return (yield* openRoots(secret, data)) ?? (yield* new DamagedWalletRoot({ secretId: data.secretId }))
})

/** Opens the roots of the store. The first start of a store generates a root. */
export const openWalletRoots = Effect.fnUntraced(function* (secrets: WalletSecrets) {
  if ((yield* stored) === undefined) {
    const random = yield* SecureRandom.SecureRandom
    const root: Root = Redacted.make(yield* random.randomBytes(rootBytes), { label: "wallet root" })
    // Another process that starts at the same time may insert its own first: that one counts.
    yield* sealRoots(secrets[0], [root]).pipe(
      Effect.flatMap(insert),
      Effect.catchTag("ServiceError", () => Effect.void),
    )
  }
  const found = yield* stored
  if (found === undefined) return yield* Effect.die(new Error("The store keeps no wallet root."))
  return yield* openWith(secrets, found.data)
})

/** The vault of a deployment over the roots of its store. */
export const walletVault = (secrets: WalletSecrets) =>
  Layer.effect(
    KeyVault,
    Effect.map(openWalletRoots(secrets), ([root]) => KeyVault.of(vaultOfRoot(root))),
  )

const resealed = Effect.fnUntraced(function* (secrets: WalletSecrets, data: WalletRoot | undefined) {
  return data === undefined ? undefined : yield* sealRoots(secrets[0], yield* openWith(secrets, data))
})

/**
 * Seals the roots of the store to the first secret, with the help of the others, and erases the earlier seal. The keys stay the same, so
 * processes that run are not concerned. Returns the ids of the store's secret before and after.
 */
export const rotateWalletSecret = Effect.fnUntraced(function* (secrets: WalletSecrets, operator: string) {
  const answered = yield* Operation.run({
    name: "WalletRoots.rotate",
    ids: 1,
    load: () => Effect.map(stored, (found) => ({ found })),
    ask: ({ found }) => Effect.map(resealed(secrets, found?.data), (next) => ({ next })),
    decide: ({ found, next }, context) => {
      if (found === undefined || next === undefined) {
        return refuse({ code: "CONFLICT", message: "The store has no wallet root: no process has started on it." })
      }
      const before = found.data.secretId
      const after = next.secretId
      if (before === after) return answer(200, { before, after })
      return answer(
        200,
        { before, after },
        Changes.combine(
          Changes.erase(found, next),
          auditRecord(context, "WALLET_SECRET_ROTATE", found, { details: { before, after } }),
        ),
      )
    },
  }).pipe(Effect.provideService(CurrentCaller, operatorOf(deployment, operator)))
  return answered.body
})
