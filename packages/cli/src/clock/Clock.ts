/**
 * `countersign clock`: shows and advances the time of a running sandbox.
 * Source: D-100, D-458.
 */
import type { Client } from "@countersign/client"
import { Console, Effect, Option } from "effect"
import { type CommandError, negativeAnswer, usageError } from "../CommandError.ts"
import { print } from "../output/Print.ts"
import { withProgress } from "../output/Progress.ts"
import { onServer, type RemoteServer } from "../remote/RemoteServer.ts"
import type { ServerOptions } from "../remote/ServerFlags.ts"
import { isoDuration } from "./DurationText.ts"

type Advance = Awaited<ReturnType<Client["sandbox"]["sandboxAdvanceClock"]>>
type Target = NonNullable<NonNullable<Parameters<Client["sandbox"]["sandboxAdvanceClock"]>[0]>["payload"]>

/** How far a sandbox is ahead. */
export const aheadText = (millis: number): string => {
  if (millis === 0) return "real time"
  const hours = Math.floor(millis / 3_600_000)
  const rest = millis % 3_600_000
  const time = `${hours % 24} h ${Math.floor(rest / 60_000)} min ${Math.floor((rest % 60_000) / 1000)} s`
  return `${Math.floor(hours / 24)} days ${time} ahead of real time`
}

export const show = onServer<ServerOptions, CommandError, never>(
  Effect.fnUntraced(function* ({ call }, { json }) {
    const clock = yield* call((client) => client.sandbox.sandboxGetClock())
    yield* print(json, clock, () =>
      [
        `now       ${clock.now}, ${aheadText(clock.aheadMillis)}`,
        `next due  ${clock.nextDueAt ?? "nothing waits"}`,
      ].join("\n"),
    )
  }),
)

/** Calls again until the target is reached: one call ends after 20 seconds. */
export const advanceTo = Effect.fnUntraced(function* ({ call }: RemoteServer, target: Target) {
  const request = (payload: Target) => call((client) => client.sandbox.sandboxAdvanceClock({ payload }))
  const first = yield* request(target)
  let last: Advance = first
  let steps = first.steps
  let jobsRun = first.jobsRun
  while (last.stopReason === "OUT_OF_TIME" && last.now < last.target) {
    yield* Console.error(`at ${last.now}, going on to ${last.target} ...`)
    last = yield* request({ to: last.target })
    steps += last.steps
    jobsRun += last.jobsRun
  }
  return { ...last, startedAt: first.startedAt, steps, jobsRun }
})

/** Whether the text is an ISO 8601 time with a time zone. */
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:\d\d)$/iu.test(text) && !Number.isNaN(Date.parse(text))

const targetOf = (duration: Option.Option<string>, to: Option.Option<string>): Effect.Effect<Target, CommandError> => {
  if (Option.isSome(duration) === Option.isSome(to))
    return usageError("give either a duration, such as 5m, or --to TIME")
  if (Option.isSome(to)) {
    return isTime(to.value)
      ? Effect.succeed({ to: to.value })
      : usageError("--to takes a time with a time zone, such as 2027-01-31T12:00:00Z")
  }
  const by = isoDuration(Option.getOrElse(duration, () => ""))
  return by === undefined
    ? usageError("the duration must be like 90s, 5m, 1h30m or 40d, or an ISO 8601 duration such as PT5M")
    : Effect.succeed({ by })
}

const lines = ({ jobsLeft, jobsRun, now, startedAt, steps }: Advance): string => {
  const left = Object.entries(jobsLeft).flatMap(([state, count]) => (count === 0 ? [] : [`${count} ${state}`]))
  return [
    `from  ${startedAt}`,
    `to    ${now}, in ${steps} ${steps === 1 ? "step" : "steps"}`,
    `work  ${jobsRun} ${jobsRun === 1 ? "job" : "jobs"} ran${left.length === 0 ? "" : `; left: ${left.join(", ")}`}`,
  ].join("\n")
}

export const advance = (duration: Option.Option<string>, to: Option.Option<string>) =>
  onServer<ServerOptions, CommandError, never>(
    Effect.fnUntraced(function* (server, { json }) {
      const target = yield* targetOf(duration, to)
      const answer = yield* withProgress("advancing the clock")(advanceTo(server, target))
      yield* print(json, answer, () => lines(answer))
      if (!answer.isComplete) {
        return yield* negativeAnswer(`not all work that is due was done (${answer.stopReason ?? "unknown"})`)
      }
    }),
  )
