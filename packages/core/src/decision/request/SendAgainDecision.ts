/**
 * Whether a kept request may be sent again, as whom, and its audit record.
 * Source: D-478.
 */
import { type Refusal, ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { TokenPermission } from "../../model/platform/Platform.ts"
import type { RequestCaller, RequestDetail } from "../../model/request/RequestResource.ts"
import type { Caller, CallingApprover } from "../../store/Caller.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

const membersShown = 10

/** The refusal of a request that is not known as a whole. */
export const incomplete = ({ notSendable }: Pick<RequestDetail, "notSendable">): ServiceError | undefined => {
  if (notSendable === undefined) return undefined
  const { members, message, reason } = notSendable
  const named = members.slice(0, membersShown).join(", ")
  const more = members.length > membersShown ? `, and ${members.length - membersShown} more` : ""
  return new ServiceError({
    code: "CONFLICT",
    message: members.length === 0 ? message : `${message} Missing: ${named}${more}.`,
    details: { reason, members: [...members] },
  })
}

/** The refusal of a caller who no longer has access. */
export const callerGone = (kind: RequestCaller["kind"]): Refusal => ({
  code: "CONFLICT",
  message: `The ${kind === "AGENT" ? "agent" : "API token"} of this request no longer has access.`,
  details: { reason: "CALLER_GONE" },
})

/** The refusal of a sender who lacks one of these permissions: a request is never sent with more than its sender has. */
export const exceeds = (
  sender: ReadonlyArray<TokenPermission>,
  needed: ReadonlyArray<TokenPermission>,
): ServiceError | undefined => {
  const permission = needed.find((each) => !sender.includes(each))
  return permission === undefined
    ? undefined
    : new ServiceError({
        code: "FORBIDDEN",
        message: `The caller of this request has the permission ${permission}, which you do not have.`,
        details: { reason: "PERMISSION_MISSING", permission },
      })
}

/** The refusal of a person who sends the request of another person: a decision on the console is personal. */
export const anotherPerson = (caller: RequestCaller, sender: CallingApprover | undefined): ServiceError | undefined =>
  sender !== undefined && sender.id === caller.id && sender.name === caller.name
    ? undefined
    : new ServiceError({
        code: "FORBIDDEN",
        message: `${caller.name ?? "A person"} sent this request on the console, and only the same person can send it again.`,
        details: { reason: "ANOTHER_PERSON" },
      })

/** Returns the same caller, who acts at the word of `sender`. */
export const atTheWordOf = <A extends Caller>(
  caller: A,
  sender: Extract<Caller, { readonly _tag: "Platform" }>,
): A => ({
  ...caller,
  resender: {
    id: sender.tokenId ?? "",
    ...(sender.approver === undefined ? {} : { approver: sender.approver }),
  },
})

export const auditSendAgain =
  ({ caller, id, operation }: RequestDetail, newId: string) =>
  (_loaded: unknown, context: DecisionContext): Decision<null> => {
    const { platformId } = context.caller
    const details = {
      operation,
      callerKind: caller.kind,
      ...(caller.id === undefined ? {} : { callerId: caller.id }),
      sentRequestId: newId,
    }
    const target = { id, platformId, customerId: null }
    return answer(200, null, auditRecord(context, "SANDBOX_REQUEST_SEND", target, { details }))
  }
