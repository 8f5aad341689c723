/**
 * The caller of an operation. The adapter confines every read and every change to the caller's tenant: a record of another platform
 * or customer does not exist.
 * Source: architecture, "The Store port".
 */
import { Context } from "effect"
import type { ApproverProof } from "../model/approval/Approver.ts"
import type { TokenPermission } from "../model/platform/Platform.ts"

/** An approver who is signed in on the console. */
export interface CallingApprover {
  readonly id: string
  readonly name: string
  readonly proof: ApproverProof
}

/** The token, or the person on the console, at whose word a sandbox sends a request of another caller again. D-478. */
export interface Resender {
  readonly id: string
  readonly approver?: CallingApprover
}

export type Caller =
  | {
      readonly _tag: "Platform"
      readonly platformId: string
      /** The API token, or `null` when the service itself works for the platform (a job). */
      readonly tokenId: string | null
      /** The secret of the token that authenticated the request. */
      readonly secretId?: string
      readonly permissions: ReadonlyArray<TokenPermission>
      /** The name of the deployment's operator, who works without a token. */
      readonly operator?: string
      /** The person on the console whose session sent the request. */
      readonly approver?: CallingApprover
      readonly resender?: Resender
    }
  | {
      readonly _tag: "Agent"
      readonly platformId: string
      readonly customerId: string
      readonly agentId: string
      /** The agent's budget when it signed in. It selects the counters to read first and decides nothing. */
      readonly budget: string
      readonly resender?: Resender
    }

/**
 * The caller of the current operation. It is required and has no default: every service method passes it on.
 * @effect-leakable-service
 */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("@countersign/core/CurrentCaller") {}

/** The service as the caller, on behalf of one platform. */
export const tenant = (platformId: string): Extract<Caller, { readonly _tag: "Platform" }> => ({
  _tag: "Platform",
  platformId,
  tokenId: null,
  permissions: [],
})

/** An operator of the deployment as the caller, on behalf of one platform. The audit shows the name. */
export const operatorOf = (platformId: string, operator: string): Caller => ({ ...tenant(platformId), operator })

/** The API token of the call, or of the console session that sent it; `null`: none. */
export const tokenIdOf = (caller: Caller): string | null => (caller._tag === "Platform" ? caller.tokenId : null)

/** Whether a record of this owner exists for the caller. */
export const sees = (caller: Caller, owner: { readonly platformId: string; readonly customerId: string | null }) =>
  owner.platformId === caller.platformId && (caller._tag === "Platform" || owner.customerId === caller.customerId)
