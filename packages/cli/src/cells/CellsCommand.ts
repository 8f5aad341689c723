/**
 * `countersign cells`: where the cells of a store are, whether all is well with them, moving them between the nodes of a cluster, and
 * points to restore to.
 * Source: D-517.
 */
import type { CellOperations, Connection } from "@countersign/adapter-postgres"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type CheckedValues, checkedFlags } from "../CheckedFlags.ts"
import { negativeAnswer, storeError, usageError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { checkedOptions } from "../CommandOptions.ts"
import * as Database from "../Database.ts"
import { type Finding, ok, problem, report } from "../doctor/Finding.ts"
import { asJson, print } from "../output/Print.ts"
import { json, store, storeDirect } from "../StoreFlags.ts"
import { locationName } from "../StoreLocation.ts"
import { ownLocation, type StoreOptions } from "../StoreOption.ts"
import * as TextTable from "../TextTable.ts"

interface CellsOptions extends StoreOptions {
  readonly json: boolean
}

const flags = checkedFlags<CellsOptions>({ store, storeDirect, json: json("Print the answer as JSON") })

interface Opened {
  readonly connection: Connection
  readonly operations: typeof CellOperations
  readonly json: boolean
}

/** Runs a command on the server that `--store` names. */
const onServer = <A, E, R>(
  command: (opened: Opened) => Effect.Effect<A, E | CellOperations.NotPossible | CellOperations.OperationFailed, R>,
) =>
  Effect.fnUntraced(function* (values: CheckedValues<CellsOptions>) {
    const options = yield* checkedOptions(values)
    const location = yield* ownLocation(options)
    if (location._tag !== "Server") return yield* usageError("cells need a server: --store postgres://...")
    const { CellOperations: operations } = yield* Database.adapter
    const connection = yield* Database.open(location)
    return yield* command({ connection, operations, json: options.json }).pipe(
      Effect.catchIf(
        (error): error is CellOperations.NotPossible => error instanceof operations.NotPossible,
        ({ message }) => Effect.fail(negativeAnswer(message)),
      ),
      Effect.catchIf(
        (error): error is CellOperations.OperationFailed => error instanceof operations.OperationFailed,
        ({ message }) => Effect.fail(storeError(`cannot use ${locationName(location)}: ${message}`)),
      ),
    )
  }, Effect.scoped)

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

const list = Command.make(
  "list",
  flags,
  onServer(({ connection, json: asText, operations }) =>
    Effect.flatMap(operations.list(connection), (found) =>
      print(asText, found, () =>
        TextTable.make(
          ["cell", "node", "MB", "customers"],
          found.cells.map(({ bytes, cell, customers, isLost = false, node = "this server" }) => [
            String(cell),
            isLost ? `${node} (does not answer)` : node,
            isLost ? "" : megabytes(bytes),
            isLost ? "" : String(customers),
          ]),
          2,
        ),
      ),
    ),
  ),
).pipe(
  withHelp("List the cells with their nodes, their sizes and how many customers they have", exitReasons.operator),
  Command.withExamples([
    {
      command: "countersign cells list --store postgres://countersign@db.example/countersign",
      description: "Any node",
    },
  ]),
)

const check = Command.make(
  "check",
  flags,
  onServer(
    Effect.fnUntraced(function* ({ connection, json: asText, operations }) {
      const found = yield* operations.check(connection)
      const findings = found.map(
        ({ check: name, fix, isProblem, text }): Finding => (isProblem ? problem(name, text, fix) : ok(name, text)),
      )
      yield* report(findings, asText)
    }),
  ),
).pipe(
  withHelp("Check the nodes and the cells, and say what to do", exitReasons.operator),
  Command.withExamples([
    { command: "countersign cells check --json", description: "For a monitor, with COUNTERSIGN_STORE" },
  ]),
)

const node = Argument.String("node").pipe(Argument.withDescription("A node, as HOST:PORT"))

const addressed = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/u

const addNode = Command.make("add-node", { ...flags, node }, ({ node: name, ...values }) =>
  onServer(
    Effect.fnUntraced(function* ({ connection, json: asText, operations }) {
      const [, six, host = six, port] = addressed.exec(name) ?? []
      if (host === undefined) return yield* usageError("a node is HOST:PORT, as its other nodes reach it")
      yield* operations.addNode(connection, { host, port: Number(port) })
      yield* print(asText, { node: name }, () => `${name} is a node; \`countersign cells rebalance\` gives it cells`)
    }),
  )(values),
).pipe(
  withHelp("Add a server to the cluster, with the user and the database of --store", exitReasons.operator),
  Command.withExamples([
    {
      command: "countersign cells add-node 10.0.0.4:5432",
      description: "The address by which the other nodes reach it",
    },
  ]),
)

const cell = Argument.Int("cell").pipe(Argument.withDescription("The number of the cell, from 0"))

const move = Command.make("move", { ...flags, cell, node }, ({ cell: number, node: to, ...values }) =>
  onServer(
    Effect.fnUntraced(function* ({ connection, json: asText, operations }) {
      yield* operations.move(connection, number, to)
      yield* print(asText, { cell: number, node: to }, () => `cell ${number} is on ${to}`)
    }),
  )(values),
).pipe(
  withHelp("Move a cell to another node while processes work", exitReasons.operator),
  Command.withExamples([
    { command: "countersign cells move 3 10.0.0.4:5432", description: "A name of `countersign cells list`" },
  ]),
)

const dryRun = Flag.Boolean("dry-run").pipe(
  Flag.withDescription("Print the moves and make none"),
  Flag.withDefault(false),
)

const rebalance = Command.make("rebalance", { ...flags, dryRun }, ({ dryRun: isDry, ...values }) =>
  onServer(
    Effect.fnUntraced(function* ({ connection, json: asText, operations }) {
      const found = yield* operations.list(connection)
      const lost = found.cells.find(({ isLost }) => isLost)
      if (lost !== undefined) return yield* negativeAnswer(`${lost.node} does not answer: its cells cannot be weighed`)
      const moves = operations.plan(found)
      if (!asText && moves.length === 0) return yield* Console.log("the nodes are balanced")
      for (const { bytes, cell: number, from, to } of moves) {
        if (!asText) yield* Console.log(`cell ${number} (${megabytes(bytes)} MB) from ${from} to ${to}`)
        if (!isDry) yield* operations.move(connection, number, to)
      }
      if (asText) yield* Console.log(asJson({ moves }))
    }),
  )(values),
).pipe(
  withHelp("Move cells until the nodes hold about the same, one after another", exitReasons.operator),
  Command.withExamples([
    { command: "countersign cells rebalance --dry-run", description: "What it would move, and how much" },
  ]),
)

const point = Argument.String("name").pipe(
  Argument.withDescription("The name of the point, which no other has: 63 letters, digits, or . _ : -"),
)

const restorePoint = Command.make("restore-point", { ...flags, point }, ({ point: name, ...values }) =>
  onServer(
    Effect.fnUntraced(function* ({ connection, json: asText, operations }) {
      const nodes = yield* operations.restorePoint(connection, name)
      yield* print(asText, { name, nodes }, () =>
        TextTable.make(
          ["node", "position"],
          nodes.map((each) => [each.node, each.position]),
          2,
        ),
      )
    }),
  )(values),
).pipe(
  withHelp("Make a point to which all nodes of the cluster can be restored together", exitReasons.operator),
  Command.withExamples([
    { command: "countersign cells restore-point nightly-2027-01-31", description: "For recovery_target_name" },
  ]),
)

export const cells = Command.make("cells").pipe(
  withHelp("Show, check, move and back up the cells of a store", exitReasons.operator),
  Command.withExamples([{ command: "countersign cells list", description: "Where they are" }]),
  Command.withSubcommands([list, check, addNode, move, rebalance, restorePoint]),
)
