/**
 * `Rails` at a bank that answers over HTTP.
 * Source: ports/Rails.ts; D-527.
 */
import type { PullPurpose, Rails } from "@countersign/core/ports"
import { Effect } from "effect"
import type { PortClient } from "../call/PortClient.ts"
import { railsOperations as operations } from "../contract/RailsOperations.ts"

const purposeOf = (purpose: PullPurpose) => {
  if (purpose._tag === "Transfer") return { for: "transfer" } as const
  const { isPayersAccount, ownershipType } = purpose
  return { for: "quote", isPayersAccount, ...(ownershipType === undefined ? {} : { ownershipType }) } as const
}

export const railsOverHttp = ({ ask, outcomeOf }: PortClient): Rails["Service"] => ({
  inspectPull: (source, amount, purpose) =>
    Effect.map(
      ask(operations.inspectPull, {
        source,
        ...(amount === undefined ? {} : { amount }),
        purpose: purposeOf(purpose),
      }),
      ({ result }) => result,
    ),
  pull: (request) => outcomeOf(operations.pull, request),
  push: (request) => outcomeOf(operations.push, request),
  inquire: (instruction) =>
    outcomeOf(
      operations.inquire,
      instruction._tag === "Push"
        ? { direction: "push", ...instruction.request }
        : { direction: "pull", ...instruction.request },
    ),
  refund: (request) => outcomeOf(operations.refund, request),
  cancel: (request) => outcomeOf(operations.cancel, request),
})
