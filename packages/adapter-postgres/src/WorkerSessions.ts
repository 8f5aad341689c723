/**
 * The sessions of this process at all servers that hold cells. All have one number, so that a cell finds the process alive wherever it moves.
 * Source: D-323, D-517.
 */
import { WallTime } from "@countersign/core/ports"
import { Context, Effect, Exit, Scope } from "effect"
import type { CellPlaces, CellServer } from "./cells/CellPlaces.ts"
import * as WorkerSession from "./WorkerSession.ts"

/** How often the process looks where the cells are, and whether a server has joined. */
const lookMillis = 2_000

export interface WorkerSessions {
  /** Opens the sessions and keeps them open. Completes after the first attempt at each server; a second call has no effect. */
  readonly attend: Effect.Effect<void>
  /** `WorkerSession.number` at the server of a cell. */
  readonly numberAt: (cell: number) => Effect.Effect<number | null>
}

export const make = Effect.fnUntraced(function* (
  places: CellPlaces,
  options: Omit<WorkerSession.SessionOptions, "number">,
) {
  const wall = yield* WallTime
  const scope = yield* Scope.Scope
  const number = yield* options.randomNumber
  const sessions = new Map<string, { readonly session: WorkerSession.WorkerSession; readonly scope: Scope.Closeable }>()
  let isAttending = false

  const open = Effect.fnUntraced(function* (server: CellServer) {
    const own = yield* Scope.fork(scope)
    const context = Context.make(WallTime, wall).pipe(Context.add(Scope.Scope, own))
    const session = yield* WorkerSession.make(server, { ...options, number }).pipe(Effect.provideContext(context))
    sessions.set(server.name, { session, scope: own })
  })
  /** Closes the sessions at servers that have left first: their number may be that of a new one. Returns whether any has joined. */
  const join = Effect.gen(function* () {
    const servers = places.servers()
    for (const [name, { scope: own }] of sessions) {
      if (servers.some((server) => server.name === name)) continue
      sessions.delete(name)
      yield* Scope.close(own, Exit.void)
    }
    const joining = servers.filter(({ name }) => !sessions.has(name))
    yield* Effect.forEach(joining, open)
    return joining.length > 0
  })
  const attendAll = Effect.suspend(() =>
    Effect.forEach([...sessions.values()], ({ session }) => session.attend, {
      concurrency: "unbounded",
      discard: true,
    }),
  )
  yield* join
  if (!places.isFixed) {
    const look = Effect.gen(function* () {
      yield* wall.sleep(lookMillis)
      yield* Effect.ignore(Effect.tryPromise(places.refresh))
      const hasJoined = yield* join
      // Not waited for: another server may leave meanwhile.
      if (isAttending && hasJoined) yield* Effect.forkIn(attendAll, scope)
    })
    yield* Effect.forkScoped(Effect.forever(look))
  }
  return {
    attend: Effect.suspend(() => {
      isAttending = true
      return attendAll
    }),
    numberAt: (cell) =>
      Effect.suspend(() => sessions.get(places.serverOf(cell)?.name ?? "")?.session.number ?? Effect.succeed(null)),
  } satisfies WorkerSessions
})
