/**
 * The session by which the database notices the death of this process: it holds an advisory lock that the server frees when the session
 * ends. The heartbeat on it releases the jobs of processes that are gone. Wake-ups of other processes arrive on it, too.
 * Source: D-323, D-324; PostgreSQL manual, 20.11.1 (idle_session_timeout) and 20.3.2 (TCP settings).
 */
import { WallTime } from "@countersign/core/ports"
import { ChangeSignal, type Queue, queues, type WorkSignal } from "@countersign/core/store"
import { Deferred, Effect, Latch } from "effect"
import type { ChangeNotices } from "./ChangeNotices.ts"
import type { Connection, Listening } from "./connection/Connection.ts"
import { codeOf } from "./connection/Failure.ts"
import { functions } from "./functions/Functions.ts"
import type { WakeUps } from "./WakeUps.ts"

/** The first key of the advisory locks of sessions ("coun"). Locks with two keys never meet those with one, which commits take. */
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

const registerStatement = (session: number) => ({
  text: "insert into countersign.worker_session (session) values ($1::int) on conflict do nothing",
  values: [session],
})

const idleBeat = { text: "select '[]'", values: [] }

const beatStatement = (session: number) => ({
  text: `select ${functions.releaseLostJobs}($1::int, $2::int)`,
  values: [lockSpace, session],
})

export interface WorkerSession {
  /** Opens the session and keeps it open. Completes after the first attempt; a second call has no effect. */
  readonly attend: Effect.Effect<void>
  /**
   * The number of the open session, for claims; `null`: there is none, and only the lease ends a claim. While a lost session is replaced it
   * waits for the attempt, because nobody would notice a death after a claim without a session.
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
  /** A random number of 32 bits, with a sign. */
  readonly randomNumber: Effect.Effect<number>
}

export const make = Effect.fnUntraced(function* (connection: Connection, options: SessionOptions) {
  const { listen } = connection
  if (listen === undefined) return noSession(connection.isSingleProcess === true)
  const { changes, notices, randomNumber, signal, wakeUps } = options
  const channels = [...wakeUps.channels, notices.channel]
  const onMessage = (channel: string, payload: string): void =>
    channel === notices.channel ? notices.onMessage(payload) : wakeUps.onMessage(channel, payload)
  const wall = yield* WallTime
  let session = yield* randomNumber
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
    yield* Effect.tryPromise(() => query(registerStatement(session)))
  })
  const answered = <A, E>(asked: Effect.Effect<A, E>) =>
    Effect.raceFirst(asked, Effect.andThen(wall.sleep(times.answerMillisMax), Effect.fail("no answer")))
  /** Ends with the session. */
  const beats = Effect.fnUntraced(function* ({ query }: Listening, graceBeats: number) {
    for (let grace = graceBeats; ; grace--) {
      const [answer] = yield* answered(Effect.tryPromise(() => query(grace > 0 ? idleBeat : beatStatement(session))))
      const found: ReadonlyArray<string> = JSON.parse(answer ?? "[]")
      for (const queue of queues) if (found.includes(queue)) released(queue)
      yield* wall.sleep(times.beatMillis)
    }
  })

  const requested = yield* Deferred.make<void>()
  /** Closed during an attempt to open the session. */
  const attempted = yield* Latch.make()
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
    open = session
    attempted.openUnsafe()
    // What was sent without a session is lost.
    if (isReconnect) {
      for (const queue of queues) signal.changed(queue)
      changes.changed(undefined, ChangeSignal.everyTopic)
    }
    const ended = Effect.promise(() => listening.ended)
    yield* Effect.raceFirst(beats(listening, isReconnect ? times.graceBeats : 0), ended).pipe(
      Effect.ensuring(lose),
      Effect.ignore,
    )
  }).pipe(Effect.scoped)
  /** A session that was open is replaced at once, one that could not be opened after a pause. */
  const pause = Effect.gen(function* () {
    attempted.openUnsafe()
    yield* wall.sleep(times.reconnectMillis)
    attempted.closeUnsafe()
  })
  const forever = Effect.forever(Effect.catch(once, () => pause))
  yield* Effect.forkScoped(Effect.andThen(Deferred.await(requested), forever))
  return {
    attend: Effect.suspend(() => {
      isRequested = true
      return Effect.andThen(Deferred.succeed(requested, undefined), attempted.await)
    }),
    number: Effect.suspend(() => (isRequested ? Effect.map(attempted.await, () => open) : Effect.succeed(null))),
  } satisfies WorkerSession
})
