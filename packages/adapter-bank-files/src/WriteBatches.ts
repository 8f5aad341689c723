/**
 * Puts built batches into `out/`, each once and only once, wherever a process dies. An attempt writes a file of its own into `staging/`; the
 * store then names one attempt for all time; and only the file of that attempt is ever renamed into `out/`, which succeeds once. If it is not
 * in `staging/` any more, it was renamed: the bank may have collected it since.
 * Source: D-530.
 */
import { Effect } from "effect"
import type { Bank } from "./Bank.ts"
import type { BankBatch } from "./orders/BankFile.ts"
import type { BankFileStore } from "./orders/BankFileStore.ts"

type Store = BankFileStore["Service"]

const stagedName = ({ fileName }: BankBatch, attempt: number): string => `${fileName}.${attempt}`

const stage = Effect.fnUntraced(function* ({ folder }: Bank, store: Store, batch: BankBatch) {
  const [attempt = 0] = yield* store.transact((rows) => rows.numbers("attempt", 1))
  yield* folder.write("staging", stagedName(batch, attempt), batch.content)
  const chosen = yield* store.transact((rows) =>
    Effect.gen(function* () {
      const known = yield* rows.batch(batch.id)
      if (known === undefined || known.state !== "BUILT") return known
      const staged: BankBatch = { ...known, state: "STAGED", attempt }
      yield* rows.putBatch(staged)
      return staged
    }),
  )
  if (chosen?.attempt !== attempt) yield* folder.remove("staging", stagedName(batch, attempt))
  return chosen
})

const publish = Effect.fnUntraced(function* ({ folder }: Bank, store: Store, batch: BankBatch) {
  if (batch.attempt === undefined) return
  yield* folder.move("staging", stagedName(batch, batch.attempt), "out", batch.fileName)
  yield* store.transact((rows) =>
    Effect.gen(function* () {
      const known = yield* rows.batch(batch.id)
      if (known?.state === "STAGED") yield* rows.putBatch({ ...known, state: "WRITTEN" })
    }),
  )
})

/** Removes what attempts left behind whose batch was written by another one. Of other batches nothing is removed: it may be the chosen one. */
const clean = Effect.fnUntraced(function* ({ folder }: Bank, store: Store) {
  for (const name of yield* folder.list("staging")) {
    const [, id] = /^(\w+)\.\w+\.\d+$/u.exec(name) ?? []
    if (id === undefined) continue
    const batch = yield* store.transact((rows) => rows.batch(id))
    if (batch?.state === "WRITTEN") yield* folder.remove("staging", name)
  }
})

/** Returns the names of the files that are in `out/` now, or were. */
export const writeBatches = Effect.fnUntraced(function* (bank: Bank, store: Store) {
  const written: Array<string> = []
  for (const batch of yield* store.transact((rows) => rows.listUnwritten(bank.name))) {
    const staged = batch.state === "BUILT" ? yield* stage(bank, store, batch) : batch
    if (staged?.state === "STAGED") yield* publish(bank, store, staged)
    written.push(batch.fileName)
  }
  yield* clean(bank, store)
  return written
})
