/**
 * Commits a change set that spans cells: its parts in the order of the cells, in one transaction, so that all of it is applied or nothing.
 * Source: D-514.
 */
import type { Caller } from "@countersign/core"
import type { ChangeSet, CommitFacts, CommitOutcome, Queue } from "@countersign/core/store"
import { type Answer, raceRetriesMax, resultOf, resultOfError } from "../commit/Commits.ts"
import * as EncodedChangeSet from "../commit/EncodedChangeSet.ts"
import type { Result } from "../commit/PendingCommit.ts"
import { serialChangeSet } from "../commit/SerialChangeSet.ts"
import { encodeFacts } from "../commit/StoredSums.ts"
import type { Session } from "../connection/Connection.ts"
import { codeOf, failureOf } from "../connection/Failure.ts"
import { functions } from "../functions/Functions.ts"
import { kindTable, quoted } from "../schema/KindTables.ts"
import type { CellPlaces } from "./CellPlaces.ts"
import { emptyPart, isBridge, type Part, type SplitSet } from "./SplitChangeSet.ts"
import { RolledBack } from "./Transaction.ts"

/** A set with what its commit needs. */
export interface SpanningSet {
  readonly set: ChangeSet
  readonly split: SplitSet
  readonly caller: Caller
  readonly wallNow: number
  readonly isLate: () => boolean
}

/**
 * How long a part waits for a lock. The parts before it hold theirs meanwhile, and a connection is kept, so everything is given back soon
 * and the set sent again.
 */
export const lockWaitMillis = 250

/** SQLSTATE of a statement that waited too long for a lock. */
const lockTimeout = "55P03"

/** The set waits for a lock that another session holds. `refusal`: its result if it waits no longer. */
export interface LockWait {
  readonly _tag: "LockWait"
  readonly refusal: Result
}

interface Committed {
  readonly facts: CommitFacts
  readonly queues: ReadonlyArray<Queue>
}

interface Called extends Extract<Result, { readonly _tag: "Outcome" }> {
  /** Whether the set was committed before. */
  readonly isStored: boolean
}

const nothing: Committed = { facts: { balances: {}, counters: {} }, queues: [] }

const merged = (a: Committed, b: Committed): Committed => ({
  facts: {
    balances: { ...a.facts.balances, ...b.facts.balances },
    counters: { ...a.facts.counters, ...b.facts.counters },
  },
  queues: [...new Set([...a.queues, ...b.queues])],
})

const withoutBridges = ({ balances, counters }: CommitFacts): CommitFacts => ({
  balances: Object.fromEntries(Object.entries(balances).filter(([account]) => !isBridge(account))),
  counters,
})

/** A decision that has expired: the commit function applies nothing, and tells whether the set was applied before. */
const isUnapplied = (outcome: CommitOutcome): boolean => outcome._tag === "Conflict" && outcome.on === "validUntil"

const refused = (outcome: CommitOutcome): RolledBack<Result> => new RolledBack({ _tag: "Outcome", outcome, queues: [] })

/** The sums of a whole set, for the bodies of its parts. */
const sumsOf = (set: ChangeSet, facts: CommitFacts) => {
  const names = EncodedChangeSet.sumNamesOf(set)
  return { names, text: encodeFacts(names, facts) }
}

/** The sessions of the cells in the transaction. */
type SessionOf = (cell: number) => Session

/** In their order. */
export const cellsOf = ({ lateEvents, parts, replayCell }: SplitSet): ReadonlyArray<number> => {
  const cells = new Set([...parts, ...lateEvents].map(({ cell }) => cell))
  if (replayCell !== undefined) cells.add(replayCell)
  return [...cells].toSorted((a, b) => a - b)
}

export const make = (places: Pick<CellPlaces, "transact">) => {
  const call = async (
    sessionOf: SessionOf,
    { cell, options, set }: Omit<Part, "present">,
    { caller, wallNow }: SpanningSet,
    isLate: boolean,
  ): Promise<Called> => {
    const encoded = EncodedChangeSet.make(set, caller, wallNow, options)
    const [text] = await sessionOf(cell).query({
      text: `select ${functions.commitSerial}($1::jsonb, ${lockWaitMillis})`,
      values: [JSON.stringify([serialChangeSet(encoded, isLate)])],
    })
    const [answer] = JSON.parse(text ?? "[]") as ReadonlyArray<Answer>
    if (answer === undefined) throw new Error("the commit function returned no outcome")
    // Only an answer of now has queues.
    const isStored = answer._tag === "Committed" && answer.queues === undefined
    // The sums of a whole set are known where it is put together; of its parts only a stored response has them.
    const hasSums = options.sums === undefined || (isStored && set.replay !== undefined)
    const shown = hasSums ? encoded : { sumNames: { balances: [], counters: [] } }
    return { ...resultOf(answer, shown), isStored }
  }

  const committed = async (...args: Parameters<typeof call>): Promise<Called & Committed> => {
    const called = await call(...args)
    if (called.outcome._tag !== "Committed") throw refused(called.outcome)
    return { ...called, facts: called.outcome.facts }
  }

  const requirePresent = async (sessionOf: SessionOf, { cell, present }: Part, caller: Caller): Promise<void> => {
    for (const { id, kind } of present) {
      const customerId = EncodedChangeSet.customerOf(caller)
      const rows = await sessionOf(cell).query({
        text: `select r.id from countersign.${quoted(kindTable(kind).table)} as r
          where r.platform_id = $1 and r.id = $2 and ($3::text is null or r.customer_id = $3) for key share`,
        values: [caller.platformId, id, customerId],
      })
      if (rows.length === 0) throw refused({ _tag: "Conflict", on: `${kind} ${id}` })
    }
  }

  /** The set of its stored response, with the sums of the whole set. */
  const replayPart = ({ set, split }: SpanningSet, facts: CommitFacts): Omit<Part, "present"> | undefined => {
    if (set.replay === undefined || split.replayCell === undefined) return undefined
    return {
      cell: split.replayCell,
      set: { ...emptyPart(set), replay: set.replay },
      options: { sums: sumsOf(set, facts) },
    }
  }

  const apply = async (sessionOf: SessionOf, spanning: SpanningSet): Promise<Committed> => {
    const { caller, set, split } = spanning
    // First, because it locks the key and finds out whether it has a response. One that shows sums is stored when these are known.
    const early = replayPart(spanning, nothing.facts)
    const showsSums = (set.replay?.answer.placeholders.length ?? 0) > 0
    if (early !== undefined) {
      const { isStored, outcome } = await call(sessionOf, early, spanning, showsSums || spanning.isLate())
      if (outcome._tag === "Committed") {
        if (isStored) return { facts: outcome.facts, queues: [] }
      } else if (!showsSums || !isUnapplied(outcome)) throw refused(outcome)
    }
    let all: Committed = nothing
    for (const part of split.parts) {
      await requirePresent(sessionOf, part, caller)
      all = merged(all, await committed(sessionOf, part, spanning, spanning.isLate()))
    }
    const facts = withoutBridges(all.facts)
    const sums = sumsOf(set, facts)
    for (const cell of new Set(split.lateEvents.map((late) => late.cell))) {
      const events = split.lateEvents.flatMap((late) => (late.cell === cell ? [late.event] : []))
      // The receipt of the part of this cell has the operation's own id.
      const late = { ...emptyPart(set), operationId: `${set.operationId} events`, events }
      await committed(sessionOf, { cell, set: late, options: { sums } }, spanning, false)
    }
    const replay = showsSums ? replayPart(spanning, facts) : undefined
    if (replay !== undefined) await committed(sessionOf, replay, spanning, false)
    return { facts, queues: all.queues }
  }

  const inTransaction = (spanning: SpanningSet): Promise<Result> =>
    places.transact<Result>(cellsOf(spanning.split), async (sessionOf) => {
      const { facts, queues } = await apply(sessionOf, spanning)
      return { _tag: "Outcome", outcome: { _tag: "Committed", facts }, queues }
    })

  /** Commits the set, or returns that it waits for a lock: nothing is applied then, and no connection kept. Lost races are retried here. */
  return async (spanning: SpanningSet): Promise<Result | LockWait> => {
    for (let retries = 0; ; retries++) {
      try {
        return await inTransaction(spanning)
      } catch (error) {
        if (codeOf(error) === lockTimeout) return { _tag: "LockWait", refusal: resultOfError(error) }
        if (failureOf(error) !== "race" || retries >= raceRetriesMax) return resultOfError(error)
      }
    }
  }
}
