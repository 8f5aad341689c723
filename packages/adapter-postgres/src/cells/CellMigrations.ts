/**
 * Migrates the schemas of all cells, one after another: each can be interrupted, and the next start continues.
 * Source: D-514, D-517; migrations/Migrations.ts.
 */
import { Effect, Result } from "effect"
import { Directory, isCluster, onFirst } from "../cluster/Directory.ts"
import * as SchemaChanges from "../cluster/SchemaChanges.ts"
import type { Connection } from "../connection/Connection.ts"
import { codeOf, failureOf } from "../connection/Failure.ts"
import * as Migrations from "../migrations/Migrations.ts"
import { exclusively, inShortTransaction, readColumn } from "../migrations/Steps.ts"
import { type CellPlaces, onOneServer } from "./CellPlaces.ts"
import { cellsMax, countOf, schemaOf, schemasText } from "./Cells.ts"
import * as ClusterPlaces from "./ClusterPlaces.ts"

type Failure = Migrations.SchemaMismatch | Migrations.MigrationFailed

const mismatch = (message: string) => new Migrations.SchemaMismatch({ message })

const attempt = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => new Migrations.MigrationFailed({ cause }) })

interface Shape {
  readonly count: number
  /** Whether a cell of it exists. */
  readonly isMade: boolean
}

/** The shape of the store in the database, or of a new one; a text says why it cannot be `wanted`. */
const shapeOf = (found: ReadonlySet<number>, wanted: number | undefined): Shape | string => {
  const count = wanted ?? [...found][0] ?? 1
  const [other] = [...found].filter((each) => each !== count)
  return other === undefined
    ? { count, isMade: found.size > 0 }
    : `the database has a store of ${other} cell${other === 1 ? "" : "s"}, not of ${count}: the number never changes`
}

const readShape = Effect.fnUntraced(function* (
  connection: Connection,
  wanted: number | undefined,
): Effect.fn.Return<Shape, Failure> {
  const found = yield* attempt(() => connection.session((session) => readColumn(session, schemasText)))
  const shape = shapeOf(new Set(found.map(countOf)), wanted)
  if (typeof shape === "string") return yield* mismatch(shape)
  const { count } = shape
  if (!Number.isSafeInteger(count) || count < 1 || count > cellsMax) {
    return yield* mismatch(`a store has 1 to ${cellsMax} cells, not ${count}`)
  }
  if (count > 1 && connection.isSingleProcess === true) return yield* mismatch("cells need a PostgreSQL server")
  return shape
})

/** The connection that changes the schema of a cell, before its tables exist and afterwards. */
type ForChanges = (cell: number) => Connection

/**
 * Makes the first cell of a new store, empty. One process at a time does, so that several that start at once with different numbers of
 * cells make one store.
 */
const makeFirstCell = Effect.fnUntraced(function* (
  connection: Connection,
  count: number,
  forChanges: ForChanges,
): Effect.fn.Return<void, Failure> {
  const refusal = yield* attempt(() =>
    connection.session((session) =>
      exclusively(session, async () => {
        const shape = shapeOf(new Set((await readColumn(session, schemasText)).map(countOf)), count)
        if (typeof shape === "string") return shape
        if (!shape.isMade) await forChanges(0).session(Migrations.begin)
        return undefined
      }),
    ),
  )
  if (refusal !== undefined) return yield* mismatch(refusal)
})

/** The coordinator. While it is gone another node says whether there is anything to change. */
const coordinatorOf = ({ coordinator, nodes }: Directory): Connection => ({
  ...coordinator.connection,
  session: (use) =>
    onFirst(
      [coordinator, ...nodes].map((node) => node.connection),
      (node) => node.session(use),
    ),
})

const schemaChanges =
  (coordinator: Connection, count: number): ForChanges =>
  (cell) => {
    const schema = schemaOf(cell, count)
    return {
      ...coordinator,
      session: (use) => coordinator.session((session) => use(SchemaChanges.sessionFor(session, schema))),
    }
  }

/** Where the cells of the store are that the database has. */
const placesOf = (connection: Connection, count: number, isPlaced: boolean): Effect.Effect<CellPlaces, Failure> =>
  isPlaced ? attempt(() => ClusterPlaces.open(connection, count)) : Effect.succeed(onOneServer(connection, count))

/** Whether cells are placed on the nodes of a cluster: where there are several, and the server has nodes. */
const isPlacedOn = (connection: Connection, count: number): Effect.Effect<boolean, Failure> =>
  count === 1 ? Effect.succeed(false) : attempt(() => isCluster(connection))

/** Where the cells of the store in the database are; of a store that is not made yet, the connection alone. */
export const places = Effect.fnUntraced(function* (
  connection: Connection,
  wanted?: number,
): Effect.fn.Return<CellPlaces, Failure> {
  const { count, isMade } = yield* readShape(connection, wanted)
  return yield* placesOf(connection, count, isMade && (yield* isPlacedOn(connection, count)))
})

/** The connections to the cells of the store in the database, or of a new one. */
export const connections = (
  connection: Connection,
  wanted?: number,
): Effect.Effect<ReadonlyArray<Connection>, Failure> => Effect.map(places(connection, wanted), ({ cells }) => cells)

const guard = (connection: Connection, schema: string): Effect.Effect<void, Failure> =>
  attempt(() =>
    connection.session(async (session) => {
      if (await SchemaChanges.hasGuards(session, schema)) return
      await inShortTransaction(session, () => SchemaChanges.createGuards(session, schema))
    }),
  )

/** Cells are read at the same time, but not all of many at once. */
const atOnce = { concurrency: 4 } as const

/** XX000: what the coordinator answers when its own connection to a node breaks. */
const isUnreachable = (failure: Failure): boolean =>
  failure._tag === "MigrationFailed" &&
  (["unavailable", "unknown"].includes(failureOf(failure.cause)) || codeOf(failure.cause) === "XX000")

/** Leaves out the cells of nodes that do not answer, while others do: a process must be able to start without them. */
const inThoseThatAnswer = Effect.fnUntraced(function* <A>(
  all: ReadonlyArray<A>,
  work: (cell: A) => Effect.Effect<void, Failure>,
) {
  const results = yield* Effect.forEach(all, (cell) => Effect.result(work(cell)), atOnce)
  const failures = results.filter(Result.isFailure).map(({ failure }) => failure)
  const wrong = failures.find((failure) => !isUnreachable(failure))
  if (wrong !== undefined) return yield* wrong
  const [first] = failures
  if (first === undefined) return
  if (failures.length === all.length) return yield* first
  yield* Effect.logWarning(`${failures.length} of ${all.length} cells cannot be reached: ${first.message}`)
})

/** Applies what is missing in each cell while other processes work, and returns where the cells are. */
export const run = Effect.fnUntraced(function* (
  connection: Connection,
  wanted?: number,
): Effect.fn.Return<CellPlaces, Failure> {
  const { count, isMade } = yield* readShape(connection, wanted)
  const isPlaced = yield* isPlacedOn(connection, count)
  if (!isPlaced) {
    const made = onOneServer(connection, count)
    if (count > 1 && !isMade) yield* makeFirstCell(connection, count, (cell) => made.cells[cell] ?? connection)
    yield* Effect.forEach(made.cells, Migrations.run, isMade ? atOnce : {})
    return made
  }
  const coordinator = yield* attempt(async () => coordinatorOf(await Directory.open(connection)))
  const forChanges = schemaChanges(coordinator, count)
  if (!isMade) yield* makeFirstCell(coordinator, count, forChanges)
  const migrate = (cell: number) =>
    Effect.andThen(Migrations.run(forChanges(cell)), guard(forChanges(cell), schemaOf(cell, count)))
  const numbers = Array.from({ length: count }, (_, cell) => cell)
  yield* isMade ? inThoseThatAnswer(numbers, migrate) : Effect.forEach(numbers, migrate)
  return yield* placesOf(connection, count, isPlaced)
})

/** Fails if this release cannot use the schema of each cell as it is. */
export const check = Effect.fnUntraced(function* (
  connection: Connection,
  wanted?: number,
): Effect.fn.Return<CellPlaces, Failure> {
  const found = yield* places(connection, wanted)
  yield* inThoseThatAnswer(found.cells, Migrations.check)
  return found
})

/** Ends a roll-out in each cell. Returns how many functions it dropped. */
export const contract = Effect.fnUntraced(function* (
  connection: Connection,
  wanted?: number,
): Effect.fn.Return<number, Failure> {
  const { cells } = yield* places(connection, wanted)
  const dropped = yield* Effect.forEach(cells, Migrations.contract)
  return dropped.reduce((sum, number) => sum + number, 0)
})
