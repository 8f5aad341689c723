/** The file of `--approval-policy`: which actions of agents need several named approvers, for every platform of the process. Source: D-532. */
import { readFile } from "node:fs/promises"
import { ApprovalPolicy, problemsOfApprovalPolicy } from "@countersign/core/models"
import { ApprovalPolicies } from "@countersign/core/ports"
import { Effect, Layer, Option, Result, Schema } from "effect"
import type { Problem } from "./Problems.ts"

interface Options {
  readonly approvalPolicy: Option.Option<string>
  readonly consolePasskeys: "off" | "required"
  readonly mode: "sandbox" | "live"
}

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(ApprovalPolicy), {
  errors: "all",
  onExcessProperty: "error",
})

const problem = (message: string): Problem => ({
  reason: "usage",
  message: `--approval-policy ${message}`,
  concerns: [],
})

const noPasskeys =
  "needs --console-passkeys required, because anyone with the client secret can state any name; in a sandbox, set acceptsStatedNames"
const noStepUp = "has rows with stepUp, which need --console-passkeys required"

/** Returns the policy of a process, and the problems of its file. */
export const check = Effect.fnUntraced(function* ({ approvalPolicy, consolePasskeys, mode }: Options) {
  const none: { readonly settings: Layer.Layer<never>; readonly problems: ReadonlyArray<Problem> } = {
    settings: Layer.empty,
    problems: [],
  }
  if (Option.isNone(approvalPolicy)) return none
  const path = approvalPolicy.value
  const text = yield* Effect.result(Effect.tryPromise(() => readFile(path, "utf8")))
  if (Result.isFailure(text)) return { ...none, problems: [problem(`${path} cannot be read`)] }
  const decoded = decode(text.success)
  if (Result.isFailure(decoded)) return { ...none, problems: [problem(`${path}: ${decoded.failure.message}`)] }
  const policy = decoded.success
  const isStated = policy.acceptsStatedNames === true && mode === "sandbox"
  const problems = [
    ...problemsOfApprovalPolicy(policy),
    ...(consolePasskeys === "off" && !isStated ? [noPasskeys] : []),
    ...(consolePasskeys === "off" && policy.rows.some(({ stepUp }) => stepUp === true) ? [noStepUp] : []),
  ]
  return {
    settings: Layer.succeed(ApprovalPolicies, { policy }),
    problems: problems.map((each) => problem(`${path}: ${each}`)),
  }
})
