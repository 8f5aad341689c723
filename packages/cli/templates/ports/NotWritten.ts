/** What a port answers until you have written it: an error that the service turns into 503, never a success. */
import { type PortCheck, PortUnavailable } from "@countersign/core/ports"
import { Effect } from "effect"

/** The answer of an operation that is not written. A request ends with 503 and changes nothing; a job is tried again later. */
export const notWritten = (operation: string) => (): Effect.Effect<never> =>
  Effect.die(new PortUnavailable({ operation, cause: "it is not written yet" }))

/** `countersign doctor --live` shows it. Remove it with the last operation that is not written. */
export const notWrittenCheck = (port: string, file: string): PortCheck => ({
  name: "not written",
  run: Effect.succeed({ status: "warning", text: `${port}: what needs it answers 503`, fix: `write it in ${file}` }),
})
