/**
 * `countersign events`: the events of a platform with their deliveries, on a running server.
 * Source: D-450, D-458.
 */
import type { Client } from "@countersign/client"
import { EventTypes } from "@countersign/core/models"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type CommandError, usageError } from "../CommandError.ts"
import { exitReasons, withHelp } from "../CommandHelp.ts"
import { print } from "../output/Print.ts"
import { onServer } from "../remote/RemoteServer.ts"
import { type ServerOptions, serverFlags } from "../remote/ServerFlags.ts"
import * as TextTable from "../TextTable.ts"

type Detail = Awaited<ReturnType<Client["operatorEvents"]["getEvent"]>>
type Attempt = Detail["attempts"][number]

const pageSize = 100

const answerOf = (attempt: Attempt | undefined): string =>
  attempt === undefined ? "not sent" : String(attempt.status ?? attempt.reason ?? "no answer")

interface ListOptions {
  readonly type: Option.Option<(typeof EventTypes.keys)[number]>
  readonly subject: Option.Option<string>
  readonly last: number
}

const listEvents = ({ last, subject, type }: ListOptions) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      if (last < 1 || last > pageSize) return yield* usageError(`--last takes a number from 1 to ${pageSize}`)
      const query = {
        limit: last,
        ...Option.match(type, { onNone: () => ({}), onSome: (name) => ({ type: name }) }),
        ...Option.match(subject, { onNone: () => ({}), onSome: (id) => ({ subject: id }) }),
      }
      const { data } = yield* call((client) => client.operatorEvents.listEvents({ query }))
      yield* print(json, data, () =>
        data.length === 0
          ? "no events"
          : TextTable.make(
              ["when", "event", "type", "delivery", "last answer"],
              data.map(({ createdAt, delivery, id, lastAttempt, type: name }) => [
                createdAt,
                id,
                name,
                delivery,
                answerOf(lastAttempt),
              ]),
              5,
            ),
      )
    }),
  )

const list = Command.make(
  "list",
  {
    ...serverFlags,
    type: Flag.Literals("type", EventTypes.keys).pipe(Flag.withDescription("Only events of this type"), Flag.optional),
    subject: Flag.String("subject").pipe(
      Flag.withDescription("Only events about the record with this id"),
      Flag.optional,
    ),
    last: Flag.Int("last").pipe(
      Flag.withDescription(`How many events, the newest first: 1 to ${pageSize} (default 20)`),
      Flag.withDefault(20),
    ),
  },
  ({ last, subject, type, ...values }) => listEvents({ last, subject, type })(values),
).pipe(
  withHelp("List events, the newest first, each with the state of its delivery", exitReasons.server),
  Command.withExamples([
    { command: "countersign events list --last 5", description: "What has just happened" },
    {
      command: "countersign events list --type OUTGOING_PAYMENT.FAILED --json",
      description: "Failed payments, for a script",
    },
  ]),
)

const eventId = Argument.String("event").pipe(Argument.withDescription("The id of the event"))

const detailLines = ({ attempts, body, createdAt, delivery, id, reason, type }: Detail): string =>
  [
    `event     ${id}`,
    `type      ${type}`,
    `emitted   ${createdAt}`,
    `delivery  ${delivery}${reason === undefined ? "" : `: ${reason}`}`,
    ...attempts.map(
      (attempt) =>
        `attempt   ${attempt.number}, ${attempt.at}, ${attempt.url}: ${answerOf(attempt)}, ${attempt.latencyMillis} ms${attempt.isResend ? ", sent again by request" : ""}`,
    ),
    JSON.stringify(JSON.parse(body), null, 2),
  ].join("\n")

const showEvent = (id: string) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      const event = yield* call((client) => client.operatorEvents.getEvent({ params: { eventId: id } }))
      yield* print(json, event, () => detailLines(event))
    }),
  )

const show = Command.make("show", { ...serverFlags, eventId }, ({ eventId: id, ...values }) =>
  showEvent(id)(values),
).pipe(
  withHelp("Show an event with its body and its attempts; --json has their signatures", exitReasons.server),
  Command.withExamples([{ command: "countersign events show Webhook:...", description: "An id of `events list`" }]),
)

const resendEvent = (id: string) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* ({ call }, { json }) {
      const sent = yield* call((client) => client.operatorEvents.resendEvent({ params: { eventId: id } }))
      yield* print(json, sent, () => `sending ${sent.eventId} to ${sent.url} again`)
    }),
  )

const resend = Command.make("resend", { ...serverFlags, eventId }, ({ eventId: id, ...values }) =>
  resendEvent(id)(values),
).pipe(
  withHelp("Send an event to the webhook endpoint once more, with the same id and body", exitReasons.server),
  Command.withExamples([{ command: "countersign events resend Webhook:...", description: "An id of `events list`" }]),
)

export const events = Command.make("events").pipe(
  withHelp("List, show and send again the events of a platform", exitReasons.server),
  Command.withExamples([{ command: "countersign events list", description: "What was emitted, the newest first" }]),
  Command.withSubcommands([list, show, resend]),
)
