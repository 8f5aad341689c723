/** Generates the commands of an agent's history, and runs them against the services. */
import { AgentActions, Agents, InternalAccounts, type Keyed } from "@countersign/core"
import type { CurrencyCode } from "@countersign/core/models"
import { Effect } from "effect"
import fc from "fast-check"
import type { AgentWorld } from "../harness/AgentWorld.ts"
import type { AgentAuditor } from "./AgentAuditor.ts"

/** A transfer-in that the agent requests. */
export interface Submission {
  /** In cents. */
  readonly amount: number
  /** The suffix of the source's account number. */
  readonly source: string
  /** The idempotency key of the request: equal numbers are one key, `null` sends no key. */
  readonly key: number | null
}

/** A step of an agent's history. */
export type Command =
  | { readonly _tag: "Submit"; readonly requests: ReadonlyArray<Submission> }
  | {
      readonly _tag: "Decide"
      readonly decisions: ReadonlyArray<{ readonly index: number; readonly approve: boolean }>
    }
  | { readonly _tag: "Pause"; readonly isPaused: boolean }
  | {
      readonly _tag: "Limits"
      readonly perTransactionLimit: number
      readonly dailyLimit: number | null
      readonly monthlyLimit: number | null
      readonly dailyTransactionLimit: number
      readonly threshold: number | null
    }
  | { readonly _tag: "Recast"; readonly currency: CurrencyCode }
  | { readonly _tag: "Advance"; readonly seconds: number }
  | { readonly _tag: "Settle" }
  | { readonly _tag: "Fund"; readonly amount: number }
  | { readonly _tag: "Race"; readonly request: Submission; readonly isPaused: boolean; readonly index: number }

/** The suffixes of the external accounts that the history uses. */
export const suffixes = ["000", "002", "004", "005"]
const amount = fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.constantFrom(0, -5, 999, 1000, 1001))
const submit = fc.record({
  amount,
  source: fc.constantFrom(...suffixes),
  key: fc.option(fc.integer({ min: 0, max: 3 })),
})
const index = fc.nat({ max: 30 })
const limit = fc.option(fc.integer({ min: 1, max: 6000 }))

/** Generates a command of an agent's history. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      _tag: fc.constant("Submit" as const),
      requests: fc.array(submit, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Decide" as const),
      decisions: fc.array(fc.record({ index, approve: fc.boolean() }), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Pause" as const), isPaused: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Limits" as const),
      perTransactionLimit: fc.integer({ min: 500, max: 3000 }),
      dailyLimit: limit,
      monthlyLimit: limit,
      dailyTransactionLimit: fc.integer({ min: 1, max: 8 }),
      threshold: limit,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Recast" as const),
      currency: fc.constantFrom("USD" as const, "EUR" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constant("Advance" as const),
      seconds: fc.constantFrom(1, 29, 31, 3600, 43_200, 86_400),
    }),
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Settle" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("Fund" as const), amount: fc.integer({ min: 1, max: 5000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("Race" as const), request: submit, isPaused: fc.boolean(), index }),
  },
)

const submitted = async (world: AgentWorld, auditor: AgentAuditor, { amount, key, source }: Submission) => {
  const request = {
    sourceAccountId: world.sources[source] ?? "",
    destinationAccountId: world.accountId,
    amount,
  }
  const body = { amount, source }
  const keyed: Keyed | undefined =
    key === null ? undefined : { key: `key-${key}`, method: "POST", path: "/agents/me/transfer-in", body }
  const result = await world.run(
    Effect.result(AgentActions.use((actions) => actions.submitTransferIn(request, keyed))),
    world.agent,
  )
  auditor.submitted(keyed && { key: keyed.key, body: JSON.stringify(body) }, result)
}

const decided = async (world: AgentWorld, auditor: AgentAuditor, index: number, approve: boolean) => {
  const actionId = auditor.actionAt(index)
  if (actionId === undefined) return
  const result = await world.run(
    Effect.result(
      AgentActions.use((actions) =>
        approve ? actions.approve(world.agentId, actionId) : actions.reject(world.agentId, actionId, "not today"),
      ),
    ),
  )
  auditor.decided(actionId, result)
}

const paused = (world: AgentWorld, isPaused: boolean) =>
  world.run(Agents.use((agents) => agents.update(world.agentId, { isPaused })))

/** Runs one command; several requests of one command run concurrently. */
export const run = async (command: Command, world: AgentWorld, auditor: AgentAuditor): Promise<void> => {
  await auditor.before()
  switch (command._tag) {
    case "Submit":
      await Promise.all(command.requests.map((request) => submitted(world, auditor, request)))
      return
    case "Decide":
      await Promise.all(command.decisions.map(({ approve, index }) => decided(world, auditor, index, approve)))
      return
    case "Pause":
      await paused(world, command.isPaused)
      return
    case "Limits": {
      const { _tag, threshold, ...spendingLimits } = command
      const approvalThresholds = { currency: "USD" as const, amount: threshold }
      await world.run(
        Agents.use((agents) => agents.updatePolicy(world.agentId, { spendingLimits, approvalThresholds })),
      )
      return
    }
    case "Recast":
      await world.run(
        Agents.use((agents) => agents.updatePolicy(world.agentId, { spendingLimits: { currency: command.currency } })),
      )
      return
    case "Advance":
      await world.clock.advance(`${command.seconds} seconds`)
      return
    case "Settle":
      await world.settle()
      return
    case "Fund":
      await world.run(InternalAccounts.use((accounts) => accounts.fund(world.accountId, command.amount)))
      auditor.funded(command.amount)
      return
    case "Race":
      await Promise.all([
        submitted(world, auditor, command.request),
        paused(world, command.isPaused),
        decided(world, auditor, command.index, true),
        decided(world, auditor, command.index, false),
      ])
  }
}
