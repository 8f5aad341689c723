/**
 * `countersign logs tail`: the requests that a running sandbox answers, one line each, until a signal stops the command.
 * Source: D-466.
 */
import type { Client } from "@countersign/client"
import { Api, endpointsOf } from "@countersign/client/api"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { type CommandError, usageError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { type Paint, paint } from "../output/Paint.ts"
import { printable } from "../output/Printable.ts"
import { withoutProgress } from "../output/Progress.ts"
import { onServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"

type Listed = Awaited<ReturnType<Client["sandboxRequests"]["sandboxListRequests"]>>["data"][number]

const operationIds = (): ReadonlySet<string> => new Set(endpointsOf(Api).map(({ endpoint }) => endpoint.identifier))

const everyMillis = 1_000
const pageSize = 100
/** The journal of a platform has no more pages. */
const pagesMax = 10

interface TailOptions {
  readonly operation: Option.Option<string>
  readonly status: Option.Option<number>
  readonly failed: boolean
  readonly last: number
}

const lineOf = (inColour: Paint, request: Listed): string => {
  const { caller, code, durationMillis, isReplay, method, path, receivedAt, rule, status } = request
  const more = [code, rule, isReplay ? "replayed" : undefined].filter((each) => each !== undefined)
  return [
    receivedAt.slice(11, 19),
    inColour(status < 400 ? "green" : "red", String(status)),
    printable(`${method} ${path}`),
    `${durationMillis} ms`,
    inColour("dim", printable(caller.name ?? caller.id ?? caller.kind)),
    ...more,
  ].join("  ")
}

const tailRequests = ({ failed, last, operation, status }: TailOptions) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      if (last < 0 || last > pageSize) return yield* usageError(`-n takes a number from 0 to ${pageSize}`)
      if (Option.exists(status, (value) => value < 100 || value > 599)) {
        return yield* usageError("--status takes a status from 100 to 599")
      }
      if (Option.exists(operation, (id) => !operationIds().has(id))) {
        return yield* usageError(
          "--operation takes the id of an operation, such as createTransferOut: /docs lists them",
        )
      }
      const inColour = yield* paint
      const filters = {
        limit: pageSize,
        ...Option.match(operation, { onNone: () => ({}), onSome: (id) => ({ operation: id }) }),
        ...(failed ? { outcome: "FAILED" as const } : {}),
      }
      let seen: ReadonlySet<string> | undefined

      /** The requests since the last look, the oldest first. */
      const next = Effect.gen(function* () {
        const found: Array<Listed> = []
        let cursor: string | undefined
        for (let pages = 0; pages < pagesMax; pages++) {
          const query = { ...filters, ...(cursor === undefined ? {} : { cursor }) }
          const page = yield* call((client) => client.sandboxRequests.sandboxListRequests({ query }))
          found.push(...page.data)
          cursor = page.nextCursor
          if (seen === undefined || cursor === undefined || page.data.some(({ id }) => seen?.has(id))) break
        }
        const known = seen
        seen = new Set(found.map(({ id }) => id))
        const isWanted = (request: Listed) => Option.isNone(status) || request.status === status.value
        const fresh = known === undefined ? found.filter(isWanted).slice(0, last) : found
        return fresh.filter((request) => known?.has(request.id) !== true && isWanted(request)).toReversed()
      })

      for (;;) {
        for (const request of yield* next) {
          yield* Console.log(json ? JSON.stringify(request) : lineOf(inColour, request))
        }
        yield* Effect.sleep(everyMillis)
      }
    }, withoutProgress),
  )

const tail = Command.make(
  "tail",
  {
    ...serverFlags,
    operation: Flag.String("operation").pipe(
      Flag.withDescription("Only requests for the operation with this id, such as createTransferOut"),
      Flag.optional,
    ),
    status: Flag.Int("status").pipe(Flag.withDescription("Only answers with this status"), Flag.optional),
    failed: Flag.Boolean("failed").pipe(
      Flag.withDescription("Only answers with a status of 400 or above"),
      Flag.withDefault(false),
    ),
    last: Flag.Int("last").pipe(
      Flag.withAlias("n"),
      Flag.withDescription("How many earlier requests to print first: 0 to 100 (default 10)"),
      Flag.withDefault(10),
    ),
  },
  ({ failed, last, operation, status, ...values }) => tailRequests({ failed, last, operation, status })(values),
).pipe(
  withHelp("Print the requests of a running sandbox as they are answered, one line each", exitReasons.server),
  Command.withExamples([
    { command: "countersign logs tail", description: "In a second terminal, beside countersign serve" },
    { command: "countersign logs tail --failed --json", description: "Refused requests, an object a line" },
  ]),
)

export const logs = Command.make("logs").pipe(
  withHelp("Follow the requests of a sandbox", exitReasons.server),
  Command.withExamples([
    { command: "countersign logs tail", description: "Beside countersign serve, in a second terminal" },
  ]),
  Command.withSubcommands([tail]),
)
