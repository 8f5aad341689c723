/**
 * `countersign reconcile`: the statements of banks against orders and ledger, on a running server. The exit code says whether they agree.
 * Source: D-535.
 */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { type CommandError, negativeAnswer, usageError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { print } from "../output/Print.ts"
import { onServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"
import { reconciliationLines } from "./ReconciliationLines.ts"

type Given = Option.Option<string>

interface Asked {
  readonly bank: Given
  readonly day: Given
  readonly from: Given
  readonly to: Given
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/u.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

const dayFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.filter(isDay, () => "a day such as 2026-01-31"),
    Flag.withDescription(description),
    Flag.optional,
  )

const given = (name: "bank" | "from" | "to", value: Given) =>
  Option.match(value, { onNone: () => ({}), onSome: (text) => ({ [name]: text }) })

const run = ({ bank, day, from, to }: Asked) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      if (Option.isSome(day) && (Option.isSome(from) || Option.isSome(to))) {
        return yield* usageError("--day cannot be given with --from or --to")
      }
      const query = {
        ...given("bank", bank),
        ...given(
          "from",
          Option.orElse(day, () => from),
        ),
        ...given(
          "to",
          Option.orElse(day, () => to),
        ),
      }
      const found = yield* call((client) => client.operatorBooks.getReconciliation({ query }))
      yield* print(json, found, () => reconciliationLines(found))
      if (!found.agrees) return yield* negativeAnswer("the banks, the orders and the ledger do not agree")
    }),
  )

export const reconcile = Command.make(
  "reconcile",
  {
    ...serverFlags,
    bank: Flag.String("bank").pipe(Flag.withDescription("Only this bank"), Flag.optional),
    day: dayFlag("day", "Only this day"),
    from: dayFlag("from", "The first day (default: 13 days before the last)"),
    to: dayFlag("to", "The last day (default: today)"),
  },
  ({ bank, day, from, to, ...values }) => run({ bank, day, from, to })(values),
).pipe(
  withHelp("Compare the statements of the banks with the orders and the ledger", exitReasons.server),
  Command.withExamples([
    { command: "countersign reconcile", description: "The last 14 days of all banks" },
    {
      command: "countersign reconcile --bank euros --day 2026-01-31 --json",
      description: "For a monitor: the exit code is 1 if something does not agree",
    },
  ]),
)
