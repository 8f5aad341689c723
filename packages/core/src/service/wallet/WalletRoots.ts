/**
 * Opens the roots of a store's wallet keys with the deployment's wallet secret, and seals them to a new one. Another secret than the
 * store's opens none: the process must not start.
 * Source: D-345, D-346.
 */
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { auditRecord } from "../../decision/audit/Audit.ts"
import { answer, refuse } from "../../decision/Decision.ts"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { WalletRoot } from "../../model/wallet/WalletRoot.ts"
import * as Operation from "../../operation/Operation.ts"
import { KeyVault } from "../../ports/KeyVault.ts"
import { CurrentCaller, operatorOf, tenant } from "../../store/Caller.ts"
import * as Changes from "../../store/Changes.ts"
import { openRecord, resealRecord, type WalletSecrets } from "./RootRecord.ts"
import { storedRoots, vaultOfRecord } from "./RootVault.ts"
import { type Root, sealRoot, sealRoots } from "./SealedRoots.ts"

/** The record belongs to the deployment, and to none of its platforms. */
const deployment = "PlatformConfig:00000000-0000-4000-8000-000000000000"
const recordId = "WalletRoot"
const rootBytes = 32

/** The deployment's operator as the caller. */
export const asOperator = (operator: string) => Effect.provideService(CurrentCaller, operatorOf(deployment, operator))

/** The refusal of a command on a store without a record. */
export const noRoots: Refusal = {
  code: "CONFLICT",
  message: "The store has no wallet root: no process has started on it.",
}

/** A new random root. */
export const newRoot = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const root: Root = Redacted.make(yield* random.randomBytes(rootBytes), { label: "wallet root" })
  return root
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

/** Whether a process has started on the store. It only reads. */
export const hasWalletRoots = Effect.map(storedRoots, (found) => found !== undefined)

/** Opens the roots of the store. The first start of a store generates one for the service, and one for wallets. */
export const openWalletRoots = Effect.fnUntraced(function* (secrets: WalletSecrets) {
  if ((yield* storedRoots) === undefined) {
    const service = yield* sealRoot(secrets[0], yield* newRoot)
    const first = yield* sealRoots(secrets[0], [yield* newRoot])
    // Another process that starts at the same time may insert its own first: that one counts.
    yield* Effect.catchTag(insert({ ...first, service }), "ServiceError", () => Effect.void)
  }
  const found = yield* storedRoots
  if (found === undefined) return yield* Effect.die(new Error("The store keeps no wallet root."))
  return { record: found.data, opened: yield* openRecord(secrets, found.data) }
})

/** The vault of a deployment over the roots of its store. */
export const walletVault = (secrets: WalletSecrets) =>
  Layer.effect(
    KeyVault,
    Effect.flatMap(openWalletRoots(secrets), ({ opened, record }) => vaultOfRecord(secrets, record, opened)),
  )

const resealed = Effect.fnUntraced(function* (secrets: WalletSecrets, record: WalletRoot | undefined) {
  return record === undefined ? undefined : yield* resealRecord(secrets, record)
})

/**
 * Seals the roots of the store to the first secret, with the help of the others, and erases the earlier seal. The keys stay the same, so
 * processes that run are not concerned. Returns the ids of the store's secret before and after.
 */
export const rotateWalletSecret = Effect.fnUntraced(function* (secrets: WalletSecrets, operator: string) {
  const answered = yield* Operation.run({
    name: "WalletRoots.rotate",
    ids: 1,
    load: () => Effect.map(storedRoots, (found) => ({ found })),
    ask: ({ found }) => Effect.map(resealed(secrets, found?.data), (next) => ({ next })),
    decide: ({ found, next }, context) => {
      if (found === undefined || next === undefined) return refuse(noRoots)
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
  }).pipe(asOperator(operator))
  return answered.body
})
