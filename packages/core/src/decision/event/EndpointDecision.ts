/**
 * Decides the state of a webhook endpoint: a new URL, its proof, and being disabled and enabled.
 * Source: wire contract 6.2; D-332.
 */
import {
  challenged,
  disabled,
  type EndpointTrust,
  enabled,
  proven,
  unsetEndpoint,
  type WebhookEndpoint,
  withUrl,
} from "../../model/event/WebhookEndpoint.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { job } from "../../store/JobKinds.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse } from "../Decision.ts"
import { endpointNotSet } from "./WebhookTestDecision.ts"

export interface EndpointLoaded {
  /** `undefined`: the platform never had an endpoint. */
  readonly endpoint: Stored<"WebhookEndpoint"> | undefined
}

type Context = Pick<DecisionContext, "caller" | "ids" | "now">

/** Replaces the data of the endpoint, or inserts it. */
export const putEndpoint = (
  { endpoint }: EndpointLoaded,
  data: WebhookEndpoint,
  { caller: { platformId } }: Pick<Context, "caller">,
): Changes.Changes =>
  endpoint === undefined
    ? Changes.insert("WebhookEndpoint", platformId, { platformId, customerId: null }, data)
    : Changes.update(endpoint, data)

/** Stores the endpoint, and the job that asks a pending one for its proof. */
const putWithProof = (loaded: EndpointLoaded, data: WebhookEndpoint, context: Context): Changes.Changes =>
  Changes.combine(
    putEndpoint(loaded, data, context),
    data.state === "PENDING"
      ? {
          jobs: [
            job(context.ids, "webhook.prove", {
              customerId: null,
              dueAt: context.now,
              payload: { number: data.proof.number },
            }),
          ],
        }
      : undefined,
  )

/** The changes of the endpoint for another URL of the platform, or none. */
export const changeUrl = (
  loaded: EndpointLoaded,
  url: string | undefined,
  trust: EndpointTrust,
  context: Context,
): Changes.Changes => {
  const before = loaded.endpoint?.data ?? unsetEndpoint
  return before.url === url ? {} : putWithProof(loaded, withUrl(before, url, trust), context)
}

const audited = (
  context: DecisionContext,
  operation: "WEBHOOK_ENDPOINT_DISABLE" | "WEBHOOK_ENDPOINT_ENABLE" | "WEBHOOK_ENDPOINT_PROVE",
) => {
  const { platformId } = context.caller
  return auditRecord(context, operation, { id: platformId, platformId, customerId: null })
}

export const disableEndpoint = (loaded: EndpointLoaded, context: DecisionContext): Decision<null> => {
  const before = loaded.endpoint?.data ?? unsetEndpoint
  if (before.state === "UNSET") return refuse(endpointNotSet)
  if (before.state === "DISABLED") return answer(200, null)
  return answer(
    200,
    null,
    Changes.combine(putEndpoint(loaded, disabled(before), context), audited(context, "WEBHOOK_ENDPOINT_DISABLE")),
  )
}

/** Enables the endpoint, asks a pending one again for its proof, and closes an open circuit. */
export const enableEndpoint =
  (trust: EndpointTrust) =>
  (loaded: EndpointLoaded, context: DecisionContext): Decision<null> => {
    const before = loaded.endpoint?.data ?? unsetEndpoint
    if (before.state === "UNSET") return refuse(endpointNotSet)
    return answer(
      200,
      null,
      Changes.combine(
        putWithProof(loaded, enabled(before, trust), context),
        audited(context, "WEBHOOK_ENDPOINT_ENABLE"),
      ),
    )
  }

/** Whether a challenge is to be sent, with its URL. `Stale`: another proof is asked for by now, or none. */
export type ChallengePermit =
  | { readonly _tag: "Send"; readonly url: string }
  | { readonly _tag: "Wait"; readonly notBefore: number }
  | { readonly _tag: "Stale" }

const isAwaited = ({ proof, state }: WebhookEndpoint, number: number): boolean =>
  state === "PENDING" && proof.number === number

/** Counts a challenge before it is sent, so that no crash makes it uncounted. `wallNow` is wall time. */
export const countChallenge =
  (number: number, wallNow: number) =>
  (loaded: EndpointLoaded, context: DecisionContext): Decision<ChallengePermit> => {
    const before = loaded.endpoint?.data ?? unsetEndpoint
    if (!isAwaited(before, number) || before.url === undefined) return answer(200, { _tag: "Stale" })
    const after = challenged(before, wallNow)
    return "notBefore" in after
      ? answer(200, { _tag: "Wait", notBefore: after.notBefore })
      : answer(200, { _tag: "Send", url: before.url }, putEndpoint(loaded, after, context))
  }

/** Activates an endpoint that has answered its challenge; `finishes` ends the job. */
export const proveEndpoint =
  (number: number, finishes: Changes.Changes) =>
  (loaded: EndpointLoaded, context: DecisionContext): Decision<null> => {
    const before = loaded.endpoint?.data ?? unsetEndpoint
    return answer(
      200,
      null,
      isAwaited(before, number)
        ? Changes.combine(
            putEndpoint(loaded, proven(before), context),
            audited(context, "WEBHOOK_ENDPOINT_PROVE"),
            finishes,
          )
        : finishes,
    )
  }
