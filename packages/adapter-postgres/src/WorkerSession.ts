/**
 * The session by which the database notices the death of this process: it holds an advisory lock that the server frees when the session
 * ends. The heartbeat on it releases the jobs of processes that are gone. Wake-ups of other processes arrive on it, too.
 * Source: D-323, D-324; PostgreSQL manual, 20.11.1 (idle_session_timeout) and 20.3.2 (TCP settings).
 */
import { WallTime } from "@countersign/core/ports"
import { ChangeSignal, type Queue, queues, type WorkSignal } from "@countersign/core/store"
import { Deferred, Effect, Latch } from "effect"
import type { ChangeNotices } from "./ChangeNotices.ts"
import { type CellServer, inEach } from "./cells/CellPlaces.ts"
import type { SchemaStatements } from "./cells/SchemaStatements.ts"
import type { Listening, Statement } from "./connection/Connection.ts"
import { codeOf } from "./connection/Failure.ts"
import { functions } from "./functions/Functions.ts"
import type { WakeUps } from "./WakeUps.ts"

/** The first key of the advisory locks of sessions (`coun`). Locks with two keys never meet those with one, which commits take. */
const lockSpace = 0x63_6f_75_6e

/**
 * Together they bound how long the jobs of a dead process wait. A killed process: its socket closes at once, so one beat. A frozen process
 * or a cut network: the idle session's end and one beat, 1.9 seconds.
 */
const times = {
  /** The session is idle for at most this long while the process lives; an event loop that stalls for a second does not end it. */
  beatMillis: 400,
  /** The server ends a session without a heartbeat after this time, whether its connection is open or not. */
  idleMillisMax: 1500,
  /** After this time without an answer the process gives the session up. Longer than a busy server takes, which ends no session. */
  answerMillisMax: 5000,
  /** How soon a lost session is replaced. */
  reconnectMillis: 200,
  /** How long the process waits for its own lock, which a session that it lost without an answer holds until it is idle for too long. */
  lockMillisMax: 3000,
  /** Beats without a look at others after a reconnect: a restart of the database ends the sessions of all processes at once. */
  graceBeats: 2,
} as const

const settings: Readonly<Record<string, number>> = {
  idle_session_timeout: times.idleMillisMax,
  lock_timeout: times.lockMillisMax,
  // For servers without the first setting, which is of release 14, and for answers that cannot be delivered.
  tcp_user_timeout: times.idleMillisMax,
  tcp_keepalives_idle: 1,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 1,
}

const configure = {
  text: `select set_config(known.name, wanted.value, false) from jsonb_each_text($1::jsonb) as wanted (name, value)
    join pg_settings as known on known.name = wanted.name`,
  values: [JSON.stringify(settings)],
}

const lockStatement = (session: number) => ({
  text: "select pg_advisory_lock($1::int, $2::int)::text",
  values: [lockSpace, session],
})

type Cells = ReadonlyMap<number, SchemaStatements>

const registerStatement = (session: number, cells: Cells): Statement => ({
  ...inEach(cells, `select ${functions.registerSession}($1::int)`),
  values: [session],
})

const idleBeat: Statement = { text: "select null::text where false", values: [] }

/** Returns the released queues of each cell. */
export const beatStatement = (session: number, cells: Cells): Statement =>
  cells.size === 0
    ? idleBeat
    : {
        ...inEach(cells, `select ${functions.releaseLostJobs}($1::int, $2::int)`),
        values: [lockSpace, session],
      }

/** The queues in which a beat released jobs. */
const queuesIn = (rows: ReadonlyArray<string | null>): ReadonlySet<string> =>
  new Set(
    rows.flatMap((row) => {
      const [, queues] = JSON.parse(row ?? "[]") as [number?, string?]
      return JSON.parse(queues ?? "[]") as ReadonlyArray<string>
    }),
  )

export interface WorkerSession {
  /** Opens the session and keeps it open. Completes after the first attempt; a second call has no effect. */
  readonly attend: Effect.Effect<void>
  /**
   * The number of the open session, for claims; `null`: none can be opened, and only the lease ends a claim. Without an open session it waits
   * for an attempt that begins now, because nobody would notice a death after a claim without one.
   */
  readonly number: Effect.Effect<number | null>
}

/** A pool with one connection, or a pooler that shares sessions: no session belongs to this process. */
const noSession = (isSingleProcess: boolean): WorkerSession => ({
  attend: isSingleProcess
    ? Effect.void
    : Effect.logWarning("no session of its own: if this process dies, its jobs wait for their leases"),
  number: Effect.succeed(null),
})

export interface SessionOptions {
  readonly wakeUps: WakeUps
  readonly notices: ChangeNotices
  readonly signal: WorkSignal.WorkSignal
  readonly changes: ChangeSignal.ChangeSignal
  /** The number by which others notice the end of this process, also where a cell has moved to. */
  readonly number: number
  /** A random number of 32 bits, with a sign: if another process has the first. */
  readonly randomNumber: Effect.Effect<number>
}

/** The session at one server. It is registered in each cell that the server holds, and beats for all. */
export const make = Effect.fnUntraced(function* ({ cells, connection, hasMoved }: CellServer, options: SessionOptions) {
  const { listen } = connection
  if (listen === undefined) return noSession(connection.isSingleProcess === true)
  const { changes, notices, randomNumber, signal, wakeUps } = options
  const channels = [...wakeUps.channels, notices.channel]
  const onMessage = (channel: string, payload: string): void =>
    channel === notices.channel ? notices.onMessage(payload) : wakeUps.onMessage(channel, payload)
  const wall = yield* WallTime
  let session = options.number
  let open: number | null = null

  const released = (queue: Queue) => {
    signal.changed(queue)
    wakeUps.notify(queue)
  }
  const lock = Effect.fnUntraced(function* ({ query }: Listening) {
    yield* Effect.tryPromise(() => query(configure))
    yield* Effect.tryPromise(() => query(lockStatement(session))).pipe(
      // Another process has the same number.
      Effect.tapError(({ cause }) =>
        codeOf(cause) === "55P03"
          ? Effect.map(randomNumber, (number) => {
              session = number
            })
          : Effect.void,
      ),
    )
  })
  /** Registers the session in cells that have come since, and beats for all that are here. */
  const beat = async ({ query }: Listening, registered: Set<number>, isIdle: boolean) => {
    const here = cells()
    try {
      const arrived = new Map([...here].filter(([cell]) => !registered.has(cell)))
      if (arrived.size > 0) await query(registerStatement(session, arrived))
      registered.clear()
      for (const cell of here.keys()) registered.add(cell)
      return await query(isIdle ? idleBeat : beatStatement(session, here))
    } catch (error) {
      // The next beat knows where the cell is, or the move has ended.
      if ((await hasMoved(error)) || codeOf(error) === "55P03") return []
      throw error
    }
  }
  const answered = <A, E>(asked: Effect.Effect<A, E>) =>
    Effect.raceFirst(asked, Effect.andThen(wall.sleep(times.answerMillisMax), Effect.fail("no answer")))
  /** Ends with the session. */
  const beats = Effect.fnUntraced(function* (listening: Listening, registered: Set<number>, graceBeats: number) {
    for (let grace = graceBeats; ; grace--) {
      const found = queuesIn(yield* answered(Effect.tryPromise(() => beat(listening, registered, grace > 0))))
      for (const queue of queues) if (found.has(queue)) released(queue)
      yield* wall.sleep(times.beatMillis)
    }
  })

  const requested = yield* Deferred.make<void>()
  /** Closed during an attempt to open the session. */
  const attempted = yield* Latch.make()
  /** Open when a claim waits for an attempt. */
  const isWaitedFor = yield* Latch.make()
  let isRequested = false
  let isReconnect = false
  const lose = Effect.sync(() => {
    open = null
    isReconnect = true
    attempted.closeUnsafe()
  })
  /** Opens the session and keeps it until it ends. */
  const once = Effect.gen(function* () {
    const listening = yield* Effect.acquireRelease(
      Effect.tryPromise(() => listen(channels, onMessage)),
      (opened) => Effect.promise(() => opened.close()),
    )
    yield* lock(listening)
    const registered = new Set<number>()
    // Before any claim.
    yield* answered(Effect.tryPromise(() => beat(listening, registered, true)))
    open = session
    attempted.openUnsafe()
    // What was sent without a session is lost.
    if (isReconnect) {
      for (const queue of queues) signal.changed(queue)
      changes.changed(undefined, ChangeSignal.everyTopic)
    }
    const ended = Effect.promise(() => listening.ended)
    yield* Effect.raceFirst(beats(listening, registered, isReconnect ? times.graceBeats : 0), ended).pipe(
      Effect.ensuring(lose),
      Effect.ignore,
    )
  }).pipe(Effect.scoped)
  /** A session that was open is replaced at once, one that could not be opened after a pause, or for the next claim. */
  const pause = Effect.gen(function* () {
    // A claim that came during the attempt waits for another one: the database may have started meanwhile.
    if (isWaitedFor.closeUnsafe()) return
    attempted.openUnsafe()
    yield* Effect.raceFirst(wall.sleep(times.reconnectMillis), isWaitedFor.await)
    isWaitedFor.closeUnsafe()
    attempted.closeUnsafe()
  })
  const awaitAttempt = Effect.suspend(() => {
    if (open !== null) return Effect.void
    attempted.closeUnsafe()
    isWaitedFor.openUnsafe()
    return attempted.await
  })
  const forever = Effect.forever(Effect.catch(once, () => pause))
  yield* Effect.forkScoped(Effect.andThen(Deferred.await(requested), forever))
  return {
    attend: Effect.suspend(() => {
      isRequested = true
      return Effect.andThen(Deferred.succeed(requested, undefined), attempted.await)
    }),
    number: Effect.suspend(() => (isRequested ? Effect.map(awaitAttempt, () => open) : Effect.succeed(null))),
  } satisfies WorkerSession
})
