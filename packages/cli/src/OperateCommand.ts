/** The subcommands of `countersign operate`. */
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { exitReasons, withHelp } from "./CommandHelp.ts"
import * as Operate from "./Operate.ts"
import { operateFlags } from "./StoreFlags.ts"

const named = (name: string, description: string) => Argument.String(name).pipe(Argument.withDescription(description))

const jobId = named("job", "The id of the parked job")
const transactionId = named("transaction", "The id of the transaction or card transaction")

const jobs = Command.make("jobs", operateFlags, Operate.jobs).pipe(
  withHelp("List parked jobs: work that was given up after too many failures", exitReasons.operator),
  Command.withExamples([
    {
      command: "countersign operate jobs --store postgres://countersign@db.example/countersign",
      description: "Those of the only platform of a database",
    },
  ]),
)

const resume = Command.make("resume", { ...operateFlags, jobId }, ({ jobId: id, ...values }) =>
  Operate.resume(id)(values),
).pipe(
  withHelp("Let a parked job run again", exitReasons.operator),
  Command.withExamples([{ command: "countersign operate resume Job:...", description: "An id of `operate jobs`" }]),
)

const force = Flag.Boolean("force").pipe(
  Flag.withDescription("Also a job for whose end a record waits, which then waits forever"),
  Flag.withDefault(false),
)
const drop = Command.make("drop", { ...operateFlags, jobId, force }, ({ force: isForced, jobId: id, ...values }) =>
  Operate.drop(id, isForced)(values),
).pipe(
  withHelp("Delete a parked job", exitReasons.operator),
  Command.withExamples([
    {
      command: "countersign operate drop Job:... --operator Grace",
      description: "An id of `operate jobs`; the audit names Grace",
    },
  ]),
)

const money = Command.make("money", operateFlags, Operate.money).pipe(
  withHelp("List unapplied money: money that its account could not take", exitReasons.operator),
  Command.withExamples([{ command: "countersign operate money --json", description: "For a monitor" }]),
)

const account = Flag.String("account").pipe(
  Flag.withDescription("The internal account to credit (default: the one that could not take it)"),
  Flag.optional,
)
const apply = Command.make(
  "apply",
  { ...operateFlags, transactionId, account },
  ({ account: to, transactionId: id, ...values }) => Operate.apply(id, Option.getOrUndefined(to))(values),
).pipe(
  withHelp("Credit unapplied money to an account", exitReasons.operator),
  Command.withExamples([
    {
      command: "countersign operate apply Transaction:... --account InternalAccount:...",
      description: "Another account than the one that could not take it",
    },
  ]),
)

const reference = Flag.String("reference").pipe(Flag.withDescription("What identifies your payment to the sender"))
const giveBack = Command.make(
  "return",
  { ...operateFlags, transactionId, reference },
  ({ reference: text, transactionId: id, ...values }) => Operate.giveBack(id, text)(values),
).pipe(
  withHelp("Record that you returned unapplied money to its sender by a payment of your own", exitReasons.operator),
  Command.withExamples([
    {
      command: 'countersign operate return Transaction:... --reference "wire 4711"',
      description: "After your bank has sent it",
    },
  ]),
)

const retryRefund = Command.make(
  "retry-refund",
  { ...operateFlags, transactionId },
  ({ transactionId: id, ...values }) => Operate.retryRefund(id)(values),
).pipe(
  withHelp("Ask the rail again about a failed refund", exitReasons.operator),
  Command.withExamples([
    { command: "countersign operate retry-refund Transaction:...", description: "An id of `operate money`" },
  ]),
)

const customerId = named("customer", "The id of the customer")
const endAccess = Command.make("end-access", { ...operateFlags, customerId }, ({ customerId: id, ...values }) =>
  Operate.endAccess(id)(values),
).pipe(
  withHelp("End the wallet sessions, agent tokens and open device codes of a customer", exitReasons.operator),
  Command.withExamples([{ command: "countersign operate end-access Customer:...", description: "After a theft" }]),
)

export const operate = Command.make("operate").pipe(
  withHelp("Act when something went wrong; every action is audited with your name", exitReasons.operator),
  Command.withExamples([
    { command: "countersign operate jobs", description: "Parked jobs of the store in ./.countersign" },
  ]),
  Command.withSubcommands([jobs, resume, drop, money, apply, giveBack, retryRefund, endAccess]),
)
