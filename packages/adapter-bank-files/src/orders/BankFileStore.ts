/**
 * Where the state of bank files is kept. A transaction is applied as a whole or not at all, and a process that dies in it leaves nothing.
 * Several processes may share a store.
 * Source: D-530.
 */
import { Context, Data, type Effect } from "effect"
import type { BankBatch, BankLine, ReceivedFile } from "./BankFile.ts"
import type { BankOrder } from "./BankOrder.ts"

/** The store does not answer. A transaction may have been applied all the same. */
export class BankFilesUnavailable extends Data.TaggedError("BankFilesUnavailable")<{ readonly cause: unknown }> {}

type Answer<A> = Effect.Effect<A, BankFilesUnavailable>

/** The rows of a transaction. Orders and batches that it reads are locked until it ends, but for `list…`. */
export interface BankRows {
  /** Waits until no other transaction has the lock; it is released by the end of this one. */
  readonly lock: (name: string) => Answer<void>
  /** The next numbers of a sequence, from 1 on. A transaction that is not applied may leave a gap. */
  readonly numbers: (name: string, count: number) => Answer<ReadonlyArray<number>>
  /** Keeps an order, and returns the one with this reference: an earlier one stays. */
  readonly addOrder: (order: BankOrder) => Answer<BankOrder>
  readonly orders: (references: ReadonlyArray<string>) => Answer<ReadonlyArray<BankOrder>>
  /** The orders of a bank with such an end-to-end id, individual id or trace number. */
  readonly ordersById: (bank: string, ids: ReadonlyArray<string>) => Answer<ReadonlyArray<BankOrder>>
  readonly ordersOfBatch: (batchId: string) => Answer<ReadonlyArray<BankOrder>>
  /** `ACCEPTED` orders of before an instant, the oldest first. */
  readonly waiting: (bank: string, before: number, limit: number) => Answer<ReadonlyArray<BankOrder>>
  /** `BATCHED` orders that count as executed at an instant. */
  readonly settling: (bank: string, at: number, limit: number) => Answer<ReadonlyArray<BankOrder>>
  readonly putOrders: (orders: ReadonlyArray<BankOrder>) => Answer<void>
  readonly addBatch: (batch: BankBatch) => Answer<void>
  readonly batch: (id: string) => Answer<BankBatch | undefined>
  readonly putBatch: (batch: BankBatch) => Answer<void>
  /** The greatest part of a cut-off's kind; 0: it has none. */
  readonly lastPart: (bank: string, cutOff: number, kind: string) => Answer<number>
  /** Whether the file is new. */
  readonly addFile: (file: ReceivedFile) => Answer<boolean>
  /** Keeps the lines whose keys are new, and returns those. */
  readonly addLines: (lines: ReadonlyArray<BankLine>) => Answer<ReadonlyArray<BankLine>>
  /** Batches that are not `WRITTEN`, the oldest first. */
  readonly listUnwritten: (bank: string) => Answer<ReadonlyArray<BankBatch>>
  /** Orders whose final state the service does not know. */
  readonly listUnreported: (limit: number) => Answer<ReadonlyArray<BankOrder>>
  /** The orders of a bank that were accepted in a period (ms, the end excluded). */
  readonly listOrders: (bank: string, from: number, to: number) => Answer<ReadonlyArray<BankOrder>>
  /** The lines of a bank that were booked on these days (both included). */
  readonly listLines: (bank: string, from: string, to: string) => Answer<ReadonlyArray<BankLine>>
  readonly hasFile: (bank: string, digest: string) => Answer<boolean>
}

export class BankFileStore extends Context.Service<
  BankFileStore,
  {
    /** Runs a transaction. If the body fails, nothing is applied. */
    readonly transact: <A, E>(
      body: (rows: BankRows) => Effect.Effect<A, E>,
    ) => Effect.Effect<A, E | BankFilesUnavailable>
  }
>()("@countersign/adapter-bank-files/BankFileStore") {}
