/** Whether the key of a token or a key service is reached, and derives the same secret twice. Source: D-533, D-534. */
import { Context, Effect, Redacted, Result } from "effect"
import type { CommandError } from "../../CommandError.ts"
import { deriveAgain } from "../../SecretSources.ts"
import { type Finding, ok, problem } from "../Finding.ts"

/** Why the start of this command could not derive a secret. */
export const SecretSourceFailure = Context.Reference<CommandError | undefined>("countersign/SecretSourceFailure", {
  defaultValue: () => undefined,
})

const fix = "start the token or the key service, and correct the address and COUNTERSIGN_KEYS_CREDENTIAL"

export const checkSources = Effect.fnUntraced(function* (
  environment: NodeJS.ProcessEnv,
): Effect.fn.Return<ReadonlyArray<Finding>> {
  const failure = yield* SecretSourceFailure
  if (failure !== undefined) return [problem("keys", failure.message, fix)]
  const findings: Array<Finding> = []
  for (const { again, first, variable } of deriveAgain(environment)) {
    const second = yield* Effect.result(again)
    if (Result.isFailure(second)) findings.push(problem("keys", second.failure.message, fix))
    else {
      findings.push(
        Redacted.value(second.success) === first
          ? ok("keys", `${variable}: the key derives the same secret twice`)
          : problem("keys", `${variable}: the key derives another secret each time`, "name a key whose values repeat"),
      )
    }
  }
  return findings
})
