/** Steps of the tests of an agent's transfers: submit, approve, reject and read. */
import { AgentActions, Agents, InternalAccounts, type ServiceError } from "@countersign/core"
import type { AgentActionResource, AgentPolicy } from "@countersign/core/models"
import type { StoreUnavailable } from "@countersign/core/store"
import { Effect, Result } from "effect"
import type * as Operation from "../../../packages/core/src/operation/Operation.ts"
import type { AgentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"

export const held: Partial<AgentPolicy> = { defaultExecutionMode: "APPROVAL_REQUIRED" }

type Attempted = Result.Result<Operation.Answered<AgentActionResource>, ServiceError | StoreUnavailable>

export const attempt = (pay: AgentWorld, amount: number | undefined, patch: object = {}): Promise<Attempted> =>
  pay.run(
    Effect.result(
      AgentActions.use((actions) =>
        actions.submitTransferIn({
          sourceAccountId: Object.values(pay.sources)[0] ?? "",
          destinationAccountId: pay.accountId,
          amount,
          ...patch,
        }),
      ),
    ),
    pay.agent,
  )

export const submit = async (pay: AgentWorld, amount?: number, patch: object = {}) =>
  Result.getOrThrow(await attempt(pay, amount, patch)).body

/** A transfer-out of the agent to the first external account. */
export const attemptOut = (pay: AgentWorld, amount: number | undefined, patch: object = {}): Promise<Attempted> =>
  pay.run(
    Effect.result(
      AgentActions.use((actions) =>
        actions.submitTransferOut({
          sourceAccountId: pay.accountId,
          destinationAccountId: Object.values(pay.sources)[0] ?? "",
          ...(amount === undefined ? {} : { amount }),
          ...patch,
        }),
      ),
    ),
    pay.agent,
  )

export const submitOut = async (pay: AgentWorld, amount?: number, patch: object = {}) =>
  Result.getOrThrow(await attemptOut(pay, amount, patch)).body

export const refusal = async (
  pay: AgentWorld,
  amount: number | undefined,
  patch: object = {},
): Promise<ServiceError> => {
  const result = await attempt(pay, amount, patch)
  if (Result.isSuccess(result)) throw new Error(`answered ${result.success.body.status}`)
  return result.failure as ServiceError
}

export const decide = (
  pay: AgentWorld,
  actionId: string,
  how: "approve" | "reject",
  reason?: string,
): Promise<Attempted> =>
  pay.run(
    Effect.result(
      AgentActions.use((actions) =>
        how === "approve" ? actions.approve(pay.agentId, actionId) : actions.reject(pay.agentId, actionId, reason),
      ),
    ),
  )

export const approve = async (pay: AgentWorld, actionId: string) =>
  Result.getOrThrow(await decide(pay, actionId, "approve")).body

export const action = (pay: AgentWorld, actionId: string) =>
  pay.run(
    AgentActions.use((actions) => actions.mineById(actionId)),
    pay.agent,
  )

export const balance = async (pay: AgentWorld) => {
  const { data } = await pay.run(
    InternalAccounts.use((accounts) => accounts.list({ customerId: pay.customerId, currency: "USD" })),
  )
  return data[0]?.balance.amount
}

export const usage = async (pay: AgentWorld) => (await pay.run(Agents.use((agents) => agents.get(pay.agentId)))).usage

export const types = (pay: AgentWorld) => pay.inbox.received.map((event) => event.type)
