/**
 * `countersign rotate wallet-root`: adds a root for the keys of new wallets, lists the roots, and retires one that no wallet needs, while
 * processes work on the store.
 * Source: D-364.
 */
import { addWalletRoot, retireWalletRoot, type WalletRootUse, walletRoots } from "@countersign/core"
import { Operator } from "@countersign/core/store"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { messageOf } from "./AsOperator.ts"
import { type CheckedValues, checkedFlags } from "./CheckedFlags.ts"
import { negativeAnswer, usageError } from "./CommandError.ts"
import { exitReasons, withHelp } from "./CommandHelp.ts"
import { checkedOptions } from "./CommandOptions.ts"
import { walletServices } from "./RotateWalletSecret.ts"
import { previousWalletSecret, walletSecret } from "./SecretFlags.ts"
import { onStore } from "./StoreCommand.ts"
import { operateFlags } from "./StoreFlags.ts"
import type { StoreOptions } from "./StoreOption.ts"
import * as TextTable from "./TextTable.ts"
import { asCommandError, givenSecret, type Secrets } from "./WalletSecret.ts"

interface Options extends Secrets, StoreOptions {
  readonly operator: string
  readonly json: boolean
}

const flags = {
  store: operateFlags.store,
  storeDirect: operateFlags.storeDirect,
  operator: operateFlags.operator,
  json: operateFlags.json,
  ...checkedFlags<Secrets>({
    walletSecret: walletSecret.pipe(Flag.optional),
    previousWalletSecret: previousWalletSecret.pipe(Flag.optional),
  }),
  list: Flag.Boolean("list").pipe(
    Flag.withDescription("List the roots with the number of wallets that depend on each, and change nothing"),
    Flag.withDefault(false),
  ),
  retire: Flag.String("retire").pipe(
    Flag.withDescription("The id of a root to remove, in place of a new one; refused while wallets depend on it"),
    Flag.optional,
  ),
}

const table = (uses: ReadonlyArray<WalletRootUse>) =>
  TextTable.make(
    ["root", "state", "wallets", "delegated keys"],
    uses.map(({ delegatedKeys, isNewest, isStored, rootId, wallets }) => [
      rootId,
      isNewest ? "newest" : isStored ? "earlier" : "missing",
      String(wallets),
      String(delegatedKeys),
    ]),
    2,
  )

const add = Effect.fnUntraced(function* ({ operator, ...options }: Options) {
  const secret = yield* givenSecret(options.walletSecret)
  if (secret === undefined) return yield* usageError("--wallet-secret is missing: a new root is sealed to it")
  return yield* addWalletRoot([secret, ...Option.toArray(options.previousWalletSecret)], operator)
})

interface Change {
  readonly list: boolean
  readonly retire: Option.Option<string>
}

/** Runs what the options ask for, and prints the answer. */
const act = Effect.fnUntraced(function* (options: Options, { list, retire }: Change) {
  const print = <A>(answer: A, lines: (answer: A) => string) =>
    Console.log(options.json ? JSON.stringify(answer, null, 2) : lines(answer))
  if (list) return yield* print(yield* walletRoots, table)
  if (Option.isSome(retire)) {
    const retired = yield* retireWalletRoot(retire.value, options.operator)
    return yield* print(retired, ({ rootId }) => `retired ${rootId}`)
  }
  return yield* print(yield* add(options), ({ rootId }) => `new wallets are made of the root ${rootId}`)
})

const run = Effect.fnUntraced(function* ({ list, retire, ...values }: CheckedValues<Options> & Change) {
  const options = yield* checkedOptions<Options>(values)
  const action = act(options, { list, retire }).pipe(
    Effect.mapError((error) => {
      if (error._tag === "CommandError") return error
      return error._tag === "ServiceError" ? negativeAnswer(messageOf(error)) : asCommandError(error)
    }),
    Effect.provide(walletServices),
    Effect.provideService(Operator, { _tag: "Operator" }),
  )
  return yield* onStore(options, action)
})

export const rotateWalletRootCommand = Command.make("wallet-root", flags, run).pipe(
  withHelp(
    "Add a root for the keys of new wallets; the others keep theirs. --wallet-secret opens the store's roots",
    exitReasons.operator,
  ),
  Command.withExamples([
    { command: "countersign rotate wallet-root --list", description: "The roots, and how many wallets depend on each" },
  ]),
)
