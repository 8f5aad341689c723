/** Plays a tape on a server and reports each step. Source: D-474. */
import { readFile, stat } from "node:fs/promises"
import { InvalidTape, type PlayedStep, play, readTape, type Tape, variablesOf } from "@countersign/client/tape"
import { Console, Effect } from "effect"
import { CommandError, negativeAnswer, usageError } from "../CommandError.ts"
import { type Paint, paint } from "../output/Paint.ts"
import type { RemoteServer } from "../remote/RemoteServer.ts"
import { replayTarget } from "./ReplayTarget.ts"
import { stepJson, stepText } from "./StepLines.ts"

const tapeBytesMax = 64 * 1024 * 1024

export interface ReplayOptions {
  readonly file: string
  /** Whether to go on after a step that is not as recorded. */
  readonly continues: boolean
  readonly withBodies: boolean
  readonly variables: Readonly<Record<string, string>>
}

const reasonOf = (cause: unknown): string => {
  if (cause instanceof Error && "code" in cause)
    return cause.code === "ENOENT" ? "it does not exist" : String(cause.code)
  return cause instanceof Error ? cause.message : "unknown"
}

const tapeOf = (file: string): Effect.Effect<Tape, CommandError> =>
  Effect.tryPromise({
    try: async () => {
      const { size } = await stat(file)
      if (size > tapeBytesMax) throw new Error(`it has ${size} bytes, more than ${tapeBytesMax}`)
      return await readFile(file, "utf8")
    },
    catch: (cause) => usageError(`${file} cannot be read: ${reasonOf(cause)}`),
  }).pipe(
    Effect.flatMap((text) =>
      Effect.try({
        try: () => readTape(text),
        catch: (cause) =>
          usageError(`${file} is not a tape: ${cause instanceof InvalidTape ? cause.message : "unknown"}`),
      }),
    ),
  )

/** A name that a tape gives: of the environment nothing else is sent, because any file could name a secret of this machine. */
const ofTapes = /_\d+$/u

/** Finds the values that the tape does not contain, before the first request is sent. */
const variablesFor = (
  tape: Tape,
  given: Readonly<Record<string, string>>,
): Effect.Effect<Readonly<Record<string, string>>, CommandError> => {
  const valueFor = (name: string) => given[name] ?? (ofTapes.test(name) ? process.env[name] : undefined)
  const found = variablesOf(tape).map((name) => [name, valueFor(name)] as const)
  const missing = found.flatMap(([name, value]) => (value === undefined ? [name] : []))
  return missing.length === 0
    ? Effect.succeed(Object.fromEntries(found.map(([name, value]) => [name, value ?? ""])))
    : usageError(
        `the tape needs values that no response contained, such as the Authorization headers of requests: set ${missing.slice(0, 10).join(", ")}${missing.length > 10 ? ` and ${missing.length - 10} more` : ""}, or pass --variable NAME=VALUE`,
      )
}

interface Counts {
  calls: number
  different: number
  gaps: number
}

const summaryText = (inColour: Paint, all: number, { calls, different, gaps }: Counts): string =>
  [
    `${calls} of ${all} calls sent`,
    inColour(different === 0 ? "green" : "red", different === 0 ? "all as recorded" : `${different} not as recorded`),
    ...(gaps === 0 ? [] : [inColour("yellow", `${gaps} ${gaps === 1 ? "gap" : "gaps"}`)]),
  ].join(", ")

export const replayOn = Effect.fnUntraced(function* (server: RemoteServer, options: ReplayOptions, json: boolean) {
  const { continues, file, withBodies } = options
  const tape = yield* tapeOf(file)
  const variables = yield* variablesFor(tape, options.variables)
  const inColour = yield* paint
  const steps = play(tape, replayTarget(server), { variables })
  const toError = (cause: unknown) => (cause instanceof CommandError ? cause : server.toError(cause))
  const all = tape.steps.filter(({ _tag }) => _tag === "Call").length
  const counts: Counts = { calls: 0, different: 0, gaps: 0 }

  const isAsRecorded = (played: PlayedStep): boolean =>
    played._tag !== "Call" ||
    (withBodies ? played.differences.length === 0 : played.status === played.call.answer.status)

  for (let step = 0; ; step++) {
    const next = yield* Effect.tryPromise({ try: () => steps.next(), catch: toError }).pipe(
      Effect.mapError(({ message, reason }) => new CommandError({ reason, message: `step ${step}: ${message}` })),
    )
    if (next.done === true) break
    const played = next.value
    const checked = { played, isAsRecorded: isAsRecorded(played), withBodies }
    yield* Console.log(json ? JSON.stringify(stepJson(checked)) : stepText(inColour, checked))
    if (played._tag === "Call") counts.calls++
    if (played._tag === "Gap") counts.gaps++
    if (checked.isAsRecorded) continue
    counts.different++
    if (!continues) break
  }
  const { calls, different, gaps } = counts
  yield* Console.log(
    json
      ? JSON.stringify({ kind: "END", calls: all, sent: calls, different, gaps })
      : summaryText(inColour, all, counts),
  )
  if (different === 0) return
  const hint = continues || calls === all ? "" : "; later steps may need it: --continue sends them nevertheless"
  return yield* negativeAnswer(`the server did not answer as the tape says${hint}`)
})
