/**
 * `countersign rotate wallet-secret`: seals the roots of wallet keys to a new wallet secret, while processes work on the store.
 * Source: D-346.
 */
import { NodeCrypto } from "@countersign/adapter-http"
import { rotateWalletSecret } from "@countersign/core"
import { SandboxClock } from "@countersign/core/sandbox"
import { Effect, Layer, type Redacted } from "effect"
import { Command } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { messageOf } from "./AsOperator.ts"
import { type CheckedValues, checkedFlags } from "./CheckedFlags.ts"
import { negativeAnswer } from "./CommandError.ts"
import { exitReasons, withHelp } from "./CommandHelp.ts"
import { checkedOptions } from "./CommandOptions.ts"
import { print } from "./output/Print.ts"
import { previousWalletSecret, walletSecret } from "./SecretFlags.ts"
import { onStore } from "./StoreCommand.ts"
import { type OperateOptions, operateFlags } from "./StoreFlags.ts"
import type { StoreOptions } from "./StoreOption.ts"
import { asCommandError } from "./WalletSecret.ts"

interface Options {
  readonly walletSecret: Redacted.Redacted
  readonly previousWalletSecret: Redacted.Redacted
}

/** What the commands of wallet keys are built of. */
export const walletServices = NodeCrypto.layer().pipe(
  Layer.provideMerge(SandboxClock.layer),
  Layer.provideMerge(SecureRandom.layerWebCrypto),
)

const flags = {
  store: operateFlags.store,
  storeDirect: operateFlags.storeDirect,
  operator: operateFlags.operator,
  json: operateFlags.json,
  ...checkedFlags<Options>({ walletSecret, previousWalletSecret }),
}

interface AllOptions extends Options, Pick<OperateOptions, "json" | "operator" | keyof StoreOptions> {}

const run = Effect.fnUntraced(function* (values: CheckedValues<AllOptions>) {
  const options = yield* checkedOptions<AllOptions>(values)
  const rotate = rotateWalletSecret([options.walletSecret, options.previousWalletSecret], options.operator).pipe(
    Effect.mapError((error) =>
      error._tag === "ServiceError" ? negativeAnswer(messageOf(error)) : asCommandError(error),
    ),
    Effect.flatMap(({ after, before }) =>
      print(options.json, { before, after }, () =>
        before === after
          ? `the wallets of this store open with the secret ${after} already`
          : `the wallets of this store open with the secret ${after}, and no more with ${before}`,
      ),
    ),
    Effect.provide(walletServices),
  )
  return yield* onStore(options, rotate)
})

export const rotateWalletSecretCommand = Command.make("wallet-secret", flags, run).pipe(
  withHelp("Seal the keys of wallets to --wallet-secret instead of --previous-wallet-secret", exitReasons.operator),
  Command.withExamples([
    { command: "countersign rotate wallet-secret", description: "With both secrets in COUNTERSIGN_ variables" },
  ]),
)
