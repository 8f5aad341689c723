/**
 * All cells of a store together: each change set goes to its cell, or in one transaction to several; claims go round the cells.
 * Source: D-514.
 */
import type { Caller } from "@countersign/core"
import { WallTime } from "@countersign/core/ports"
import {
  assertValid,
  type ChangeSet,
  type ClaimedJob,
  type ClockChange,
  misplacedIn,
  type Queue,
  type StoreUnavailable,
} from "@countersign/core/store"
import { Clock, Effect, Result } from "effect"
import type * as PendingCommit from "../commit/PendingCommit.ts"
import * as JobRows from "../read/JobRows.ts"
import * as Reads from "../read/Reads.ts"
import * as BusinessTime from "../schema/BusinessTime.ts"
import type { CellPort, OneCell } from "./Cell.ts"
import type { CellPlaces } from "./CellPlaces.ts"
import { placedIn } from "./Cells.ts"
import * as MergedReads from "./MergedReads.ts"
import * as ServerTurns from "./ServerTurns.ts"
import * as SpanningCommits from "./SpanningCommits.ts"
import { onlyCell, split } from "./SplitChangeSet.ts"
import { RolledBack } from "./Transaction.ts"

export interface AllCellsOptions {
  readonly places: CellPlaces
  readonly cells: ReadonlyArray<OneCell>
  readonly clockOffset: BusinessTime.ClockOffset
  /** How long a commit waits for a lock that another session holds before the store is unavailable to it; 25,000 by default. */
  readonly lockWaitMillis?: number | undefined
}

/** The pauses of a set that waits for a lock, in milliseconds: each is twice as long as the one before. */
const pauseMillis = { first: 20, max: 640 } as const

/** The time of locks is that of the database, so no clock of a test stops it. */
const pause = (millis: number) => Effect.promise(() => Effect.runPromise(Effect.sleep(millis)))

export const make = Effect.fnUntraced(function* ({
  cells,
  clockOffset,
  lockWaitMillis = 25_000,
  places,
}: AllCellsOptions) {
  const wall = yield* WallTime
  const cellOf = placedIn(cells.length)
  const attemptSpanning = SpanningCommits.make(places)
  // Each keeps a connection for several trips: others must find one, too.
  const turns = ServerTurns.make(2 * places.any.concurrentBatches)

  const commitSpanning = Effect.fnUntraced(function* (set: SpanningCommits.SpanningSet) {
    const servers = SpanningCommits.cellsOf(set.split).map((cell) => places.serverOf(cell)?.name ?? "")
    let waited = 0
    for (let millis: number = pauseMillis.first; ; millis = Math.min(2 * millis, pauseMillis.max)) {
      // Not interrupted: its connection would be left inside a transaction.
      const attempt = Effect.uninterruptible(Effect.promise(() => attemptSpanning(set)))
      const result = yield* turns.withTurn(servers)(attempt)
      if (result._tag !== "LockWait") return result
      waited += SpanningCommits.lockWaitMillis + millis
      if (waited > lockWaitMillis) return result.refusal
      yield* pause(millis)
    }
  })

  const commit = Effect.fnUntraced(function* (set: ChangeSet, caller: Caller) {
    const [misplaced] = misplacedIn(set, caller)
    if (misplaced !== undefined) {
      return {
        _tag: "Defect",
        cause: new Error(`change set: ${misplaced} is not in the cell of its owner`),
      } as PendingCommit.Result
    }
    const parts = split(set, caller, cellOf)
    const only = onlyCell(parts)
    const cell = only === undefined ? undefined : cells[only]
    if (cell !== undefined) return yield* cell.commit(set, caller)
    assertValid(set, caller)
    const clock = yield* Clock.Clock
    const wallNow = yield* wall.now
    const { validUntil } = set
    const isLate = () => validUntil !== undefined && clock.currentTimeMillisUnsafe() >= validUntil
    return yield* commitSpanning({ set, split: parts, caller, wallNow, isLate })
  })

  /** The cell with which the next claim of each queue begins. */
  const nextCells = new Map<Queue, number>()
  /**
   * Goes round the cells that may have a job, which are found out with one statement for each server. Cells that do not answer are left out while
   * others do: their jobs wait for them.
   */
  const claim: CellPort["claim"] = Effect.fnUntraced(function* (request, sessionOf) {
    const from = nextCells.get(request.queue) ?? 0
    nextCells.set(request.queue, (from + 1) % cells.length)
    const answers = yield* Reads.repeatable(() => places.ask(JobRows.claimableStatement(request)))
    const known = new Map([...answers].map(([cell, answer]) => [cell, JSON.parse(answer ?? "[]") as [boolean, number]]))
    const heads: Array<ClaimedJob> = []
    const behind: Array<ClaimedJob> = []
    let ahead = Math.max(0, ...[...known.values()].map(([, offset]) => offset))
    let problem: StoreUnavailable | undefined
    for (let step = 0; step < cells.length; step++) {
      const number = (from + step) % cells.length
      const cell = cells[number]
      const limit = request.limit - heads.length
      if (cell === undefined || limit <= 0) break
      if (known.get(number)?.[0] !== true && !cell.hasUnanswered()) continue
      const session = yield* sessionOf(number)
      const result = yield* Effect.result(cell.claim({ ...request, limit }, session))
      if (Result.isFailure(result)) {
        problem = result.failure
        continue
      }
      const found = result.success
      ahead = Math.max(ahead, found.ahead)
      for (const job of found.jobs) (job.behind === undefined ? heads : behind).push(job)
    }
    // What is claimed must be run: nobody else claims it while this process lives.
    if (heads.length === 0 && problem !== undefined) return yield* problem
    return { ahead, jobs: [...heads, ...behind] }
  })

  /** Moves the time of all cells at once. A cell that may not move keeps all others where they are. */
  const moveTime = (move: ClockChange) =>
    Reads.repeatable(() =>
      places.transact([...cells.keys()], async (sessionOf) => {
        let moved: string | undefined
        for (const cell of cells.keys()) {
          const [answer] = await sessionOf(cell).query(BusinessTime.moveStatement(move))
          if (answer === undefined || answer === null) throw new RolledBack(undefined)
          moved ??= answer
        }
        return moved
      }),
    )

  return {
    reads: MergedReads.make(
      cells.map(({ reads }) => reads),
      cellOf,
      clockOffset,
      places.ask,
    ),
    commit,
    claim,
    moveTime,
  } satisfies CellPort
})
