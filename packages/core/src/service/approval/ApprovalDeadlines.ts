/**
 * The jobs at the times of a held action's requirement: its end and its escalation.
 * Source: D-532.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { escalateApproval, expireApproval } from "../../decision/approval/ApprovalDeadlineDecision.ts"
import type { DecisionContext } from "../../decision/Decision.ts"
import { finishing, type JobHandler } from "../../operation/Jobs.ts"
import * as Operation from "../../operation/Operation.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"

const decode = Schema.decodeUnknownEffect(Schema.Struct({ actionId: Schema.String }))

type Decide = (action: Stored<"AgentAction"> | undefined, context: DecisionContext) => Changes.Changes | undefined

const handler = (name: string, decide: Decide): JobHandler =>
  Effect.fnUntraced(function* (job) {
    const { actionId } = yield* Effect.orDie(decode(job.payload))
    yield* Operation.run({
      name,
      load: (read) =>
        Effect.map(read({ records: [{ kind: "AgentAction", id: actionId }] }), (found) => ({
          action: found.record("AgentAction", actionId),
        })),
      decide: ({ action }, context) =>
        Operation.answer(200, null, Changes.combine(decide(action, context), finishing(job))),
    })
  })

export class ApprovalDeadlines extends Context.Service<
  ApprovalDeadlines,
  {
    /** Handles the end of the time to approve: rejects the action. */
    readonly expire: JobHandler
    /** Handles an escalation. */
    readonly escalate: JobHandler
  }
>()("@countersign/core/ApprovalDeadlines") {
  static readonly layer = Layer.succeed(
    ApprovalDeadlines,
    ApprovalDeadlines.of({
      expire: handler("ApprovalDeadlines.expire", expireApproval),
      escalate: handler("ApprovalDeadlines.escalate", escalateApproval),
    }),
  )
}
