/**
 * Bank files as a whole: the `Rails` port, and the cycle that builds, writes, takes and reports. Call the cycle every minute, in as many
 * processes as you like.
 * Source: D-530.
 */
import type { Outcomes } from "@countersign/core"
import { BankExchange, BankReconciliation, type Rails } from "@countersign/core/ports"
import { Duration, Effect, Layer } from "effect"
import type { Bank } from "./Bank.ts"
import { bankFileRails } from "./BankFileRails.ts"
import { bankFileReconciliation } from "./BankFileReconciliation.ts"
import { buildBatches } from "./BuildBatches.ts"
import { type BankFileStore, BankFilesUnavailable } from "./orders/BankFileStore.ts"
import { type ReconcileOptions, reconcileBank } from "./ReconcileBank.ts"
import { reportOutcomes, reportTo } from "./ReportOutcomes.ts"
import type { Reconciliation } from "./reconciliation/Finding.ts"
import { settleOrders } from "./SettleOrders.ts"
import { type Patience, type TakenFiles, takeFiles } from "./TakeFiles.ts"
import { writeBatches } from "./WriteBatches.ts"

/** What a cycle did with a bank. `problem`: the folder could not be used, and the next cycle goes on. */
export type BankCycle =
  | {
      readonly bank: string
      readonly built: ReadonlyArray<string>
      readonly written: ReadonlyArray<string>
      readonly taken: TakenFiles
      readonly settled: number
    }
  | { readonly bank: string; readonly problem: string }

export interface BankFiles {
  readonly names: ReadonlyArray<string>
  readonly rails: Layer.Layer<Rails>
  /** `rails`, `exchanging` and `reconciliation`: a service with it exchanges files by itself, and shows its operator what agrees. */
  readonly layer: Layer.Layer<Rails>
  /** The cycle, every minute. */
  readonly exchanging: BankExchange
  readonly reconciliation: BankReconciliation
  /** Exchanges files with each bank. It reports nothing. */
  readonly exchange: Effect.Effect<ReadonlyArray<BankCycle>, BankFilesUnavailable>
  /** Reports what became of orders, and returns how many reports there were. */
  readonly report: ReturnType<typeof reportOutcomes>
  /** `exchange`, then `report`. */
  readonly cycle: Effect.Effect<
    { readonly banks: ReadonlyArray<BankCycle>; readonly reported: number },
    Effect.Error<ReturnType<typeof reportOutcomes>>,
    Outcomes
  >
  /** Compares lines, orders and, if it is given, the ledger. The bank is one of the names. */
  readonly reconcile: (bank: string, options: ReconcileOptions) => Effect.Effect<Reconciliation, BankFilesUnavailable>
}

const exchangeWith = Effect.fnUntraced(
  function* (bank: Bank, store: BankFileStore["Service"], patience: Patience) {
    yield* bank.folder.prepare
    const built = yield* buildBatches(bank, store)
    const written = yield* writeBatches(bank, store)
    const taken = yield* takeFiles(bank, store, patience)
    for (const { name, reason } of taken.rejected) {
      yield* Effect.logWarning(`a file of the bank ${bank.name} is rejected: ${name}: ${reason}`)
    }
    const settled = bank.format.confirms ? 0 : yield* settleOrders(bank, store)
    const cycle: BankCycle = { bank: bank.name, built, written, taken, settled }
    return cycle
  },
  (effect, bank) =>
    Effect.catchTag(effect, "FolderUnavailable", ({ message }) =>
      Effect.as(Effect.logWarning(message), { bank: bank.name, problem: message } satisfies BankCycle),
    ),
)

/** Throws a `RangeError` if two banks have one name. */
const make = (banks: ReadonlyArray<Bank>, store: BankFileStore["Service"]): BankFiles => {
  const names = banks.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new RangeError("two banks have the same name")
  const patience = new Map(names.map((name) => [name, new Map()] satisfies [string, Patience]))
  const exchange = Effect.forEach(banks, (bank) => exchangeWith(bank, store, patience.get(bank.name) ?? new Map()))
  const report = reportOutcomes(store)
  const rails = bankFileRails(banks, store)
  const reconciliation = bankFileReconciliation(banks, store)
  const exchanging: BankExchange = {
    everyMillis: Duration.toMillis(Duration.minutes(1)),
    cycle: (reportOne) =>
      exchange.pipe(
        Effect.andThen(reportTo(store, reportOne)),
        Effect.asVoid,
        Effect.catchIf(
          (failure) => failure instanceof BankFilesUnavailable,
          () => Effect.logWarning("the store of bank files does not answer: the next cycle goes on"),
        ),
      ),
  }
  return {
    names,
    rails,
    layer: Layer.mergeAll(
      rails,
      Layer.succeed(BankExchange, exchanging),
      Layer.succeed(BankReconciliation, reconciliation),
    ),
    exchanging,
    reconciliation,
    exchange,
    report,
    cycle: Effect.gen(function* () {
      const done = yield* exchange
      return { banks: done, reported: yield* report }
    }),
    reconcile: (name, options) => {
      const bank = banks.find((each) => each.name === name)
      if (bank === undefined) return Effect.die(new RangeError(`there is no bank ${name}: ${names.join(", ")}`))
      return reconcileBank(bank, store, options)
    },
  }
}

export const BankFiles = { make }
