/**
 * One cell: the change sets, reads and claims of one schema. A store of one cell is this.
 * Source: architecture, "The Store port" (PostgreSQL); D-514.
 */
import type { Caller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import type { ChangeSet, ClaimRequest, ClockChange, StoreUnavailable } from "@countersign/core/store"
import { Clock, Effect } from "effect"
import * as Commits from "../commit/Commits.ts"
import * as EncodedChangeSet from "../commit/EncodedChangeSet.ts"
import * as GroupCommit from "../commit/GroupCommit.ts"
import type { PendingCommit, Result } from "../commit/PendingCommit.ts"
import type { Connection } from "../connection/Connection.ts"
import type * as JobRows from "../read/JobRows.ts"
import * as Reads from "../read/Reads.ts"
import * as BusinessTime from "../schema/BusinessTime.ts"
import * as Claims from "./Claims.ts"

export interface CellOptions {
  /** How many change sets one trip may carry. */
  readonly batchMax?: number | undefined
  /** How long a commit waits for a lock that another session holds before the store is unavailable to it; 25,000 by default. */
  readonly lockWaitMillis?: number | undefined
  readonly clockOffset: BusinessTime.ClockOffset
}

/** Minimum queue length before a second batch is opened: the fixed cost of a batch is that of about five change sets. */
const secondBatchMin = 12

/**
 * How long change sets wait for the batch in flight. A batch takes some milliseconds; one that takes longer waits for a lock that the
 * waiting sets may not need.
 */
const batchWaitMillis = 50

/**
 * How often the store looks whether the locks that change sets wait for are free. The time of locks is that of the database, so no clock
 * of a test stops it.
 */
const lockIntervalMillis = 50
const startLockInterval = (onElapsed: () => void): void => {
  Effect.runFork(Effect.andThen(Effect.sleep(lockIntervalMillis), Effect.sync(onElapsed)))
}

type Claimed = ReturnType<typeof JobRows.decodeClaim>
export type SessionOf = (cell: number) => Effect.Effect<number | null>

/** What a store does with its cell, or with all its cells together. */
export interface CellPort {
  readonly reads: Reads.StoreReads
  readonly commit: (set: ChangeSet, caller: Caller) => Effect.Effect<Result>
  /** `sessionOf`: the number of this process's session at the server of a cell; `null`: it has no session there now. */
  readonly claim: (request: ClaimRequest, sessionOf: SessionOf) => Effect.Effect<Claimed, StoreUnavailable>
  /** Advances business time, and returns its offset; `undefined`: another process is advancing it. */
  readonly moveTime: (move: ClockChange) => Effect.Effect<string | undefined, StoreUnavailable>
}

export interface OneCell extends Omit<CellPort, "claim"> {
  readonly reads: Reads.ReadPort
  readonly claim: (request: ClaimRequest, session: number | null) => Effect.Effect<Claimed, StoreUnavailable>
  /** Whether the answer of a claim was lost, so that the next one has jobs to release. */
  readonly hasUnanswered: () => boolean
}

/** The only cell of a store. */
export const alone = ({ claim, commit, moveTime, reads }: OneCell): CellPort => ({
  reads,
  commit,
  moveTime,
  claim: (request, sessionOf) => Effect.flatMap(sessionOf(0), (session) => claim(request, session)),
})

export const make = Effect.fnUntraced(function* (
  connection: Connection,
  { batchMax = 64, clockOffset, lockWaitMillis = 25_000 }: CellOptions,
) {
  const wall = yield* WallTime
  const { concurrentBatches, isSingleProcess = false } = connection
  const commits = Commits.make(
    connection,
    isSingleProcess
      ? undefined
      : {
          release: (sets) => group.addFirst(sets),
          startInterval: startLockInterval,
          intervalsMax: Math.ceil(lockWaitMillis / lockIntervalMillis),
        },
  )
  const { waits } = commits
  yield* Effect.addFinalizer(() => Effect.sync(waits.close))
  const waitMax = (onElapsed: () => void) => {
    Effect.runFork(Effect.andThen(wall.sleep(batchWaitMillis), Effect.sync(onElapsed)))
  }
  const group: GroupCommit.GroupCommit<PendingCommit> = GroupCommit.make({
    send: commits.send,
    hold: waits.hold,
    concurrentBatches,
    batchMax,
    secondBatchMin,
    waitMax,
  })

  const commit = Effect.fnUntraced(function* (set: ChangeSet, caller: Caller) {
    const clock = yield* Clock.Clock
    const wallNow = yield* wall.now
    const { validUntil } = set
    const encoded = EncodedChangeSet.make(set, caller, wallNow)
    const isLate = () => validUntil !== undefined && clock.currentTimeMillisUnsafe() >= validUntil
    return yield* Effect.callback<Result>((resume) => {
      const pending: PendingCommit = {
        ...encoded,
        isLate,
        settle: (settled) => resume(Effect.succeed(settled)),
      }
      group.add(pending)
      return Effect.sync(() => {
        if (!group.withdraw(pending)) waits.withdraw(pending)
      })
    })
  })

  return {
    reads: yield* Reads.make(connection, clockOffset),
    commit,
    ...Claims.make((statement) => Reads.query(connection, statement)),
    moveTime: (move) =>
      Effect.map(Reads.query(connection, BusinessTime.moveStatement(move)), ([moved]) => moved ?? undefined),
  } satisfies OneCell
})
