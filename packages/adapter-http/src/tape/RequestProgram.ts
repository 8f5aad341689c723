/**
 * A kept request as a program, as the interface answers it.
 * Source: D-479.
 */
import { asCurl, asScript, asTest, type Tape } from "@countersign/client/tape"
import { type RequestHistory, ServiceError } from "@countersign/core"
import type { RequestProgramForm, RequestTape } from "@countersign/core/models"
import { Effect } from "effect"
import { journalTape } from "./JournalTape.ts"

const requestsMax = 300

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/gu

const programs: Readonly<Record<RequestProgramForm, (tape: Tape, name: string) => string>> = {
  TEST: asTest,
  SCRIPT: (tape) => asScript(tape),
  CURL: (tape) => asCurl(tape),
}

/** Fails with 409 if the request itself cannot be repeated, or needs too many others. */
export const programOf = (
  history: RequestHistory,
  form: RequestProgramForm = "TEST",
): Effect.Effect<RequestTape, ServiceError> =>
  Effect.suspend(() => {
    const found = journalTape(history)
    const last = history.entries.at(-1)?.request
    const target = found.tape.steps.at(-1)
    if (last === undefined || target?._tag !== "Call") {
      return Effect.fail(
        new ServiceError({
          code: "CONFLICT",
          message: `No program can repeat this request: ${target?._tag === "Gap" ? target.reason : "it is not kept"}.`,
          details: { reason: "NOT_REPEATABLE" },
        }),
      )
    }
    const count = found.requests.length
    if (count > requestsMax) {
      return Effect.fail(
        new ServiceError({
          code: "CONFLICT",
          message: `The program would repeat ${count} requests; at most ${requestsMax} are possible.`,
          details: { reason: "TOO_MANY_REQUESTS", requests: count, max: requestsMax },
        }),
      )
    }
    const { tape, ...rest } = found
    const name = `${last.method} ${last.path.replaceAll(uuid, "…")} answers ${last.status}`
    return Effect.succeed({
      requestId: last.id,
      form,
      program: programs[form](tape, name),
      tape: jsonOf(tape),
      ...rest,
    })
  })

const jsonOf = (tape: Tape): RequestTape["tape"] => JSON.parse(JSON.stringify(tape))
