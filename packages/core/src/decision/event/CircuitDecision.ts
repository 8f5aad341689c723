/**
 * Decides what the results of deliveries change: the circuit of the endpoint, and what is known of its last answers.
 * Source: D-333.
 */
import { failed, type Permit, permitOf, probing, succeeded } from "../../model/event/Circuit.ts"
import { unsetEndpoint, type WebhookEndpoint } from "../../model/event/WebhookEndpoint.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"
import { type EndpointLoaded, putEndpoint } from "./EndpointDecision.ts"

/** A time of the last success is stored again after this time, so that a healthy endpoint costs no write per delivery. */
const successStoredMillis = 60_000

/** Begins a probe, if none is on its way. `isUrgent`: even before its time. The permit is `Send` if the circuit has closed meanwhile. */
export const beginProbe =
  (wallNow: number, isUrgent: boolean) =>
  (loaded: EndpointLoaded, context: DecisionContext): Decision<Permit> => {
    const before = loaded.endpoint?.data ?? unsetEndpoint
    const isEarly = isUrgent && before.circuit.state === "OPEN"
    const permit: Permit = isEarly ? { _tag: "Probe" } : permitOf(before.circuit, wallNow)
    return permit._tag === "Probe"
      ? answer(200, permit, putEndpoint(loaded, { ...before, circuit: probing(before.circuit, wallNow) }, context))
      : answer(200, permit)
  }

/** Counts a failed delivery to this URL. The reason is stored with every failure that changes the circuit; `changes` in any case. */
export const recordFailure =
  (url: string, reason: string, wallNow: number, changes: Changes.Changes) =>
  (loaded: EndpointLoaded, context: DecisionContext): Decision<null> => {
    const before = loaded.endpoint?.data
    // The platform has changed the URL meanwhile.
    if (before?.url !== url) return answer(200, null, changes)
    const circuit = failed(before.circuit, wallNow)
    // Many deliveries fail together after the circuit has opened.
    if (circuit === before.circuit) return answer(200, null, changes)
    const after: WebhookEndpoint = { ...before, circuit, lastFailure: { at: wallNow, reason } }
    return answer(200, null, Changes.combine(putEndpoint(loaded, after, context), changes))
  }

/** Whether a success at this time is worth storing. */
export const isNewsOfSuccess = ({ circuit, lastSuccessAt = 0 }: WebhookEndpoint, wallNow: number): boolean =>
  circuit.state !== "CLOSED" || circuit.failures > 0 || wallNow - lastSuccessAt >= successStoredMillis

/** Closes the circuit after a success at this URL; `changes` are committed in any case. */
export const recordSuccess =
  (url: string, wallNow: number, changes: Changes.Changes) =>
  (loaded: EndpointLoaded, context: DecisionContext): Decision<null> => {
    const before = loaded.endpoint?.data
    if (before === undefined || before.url !== url || !isNewsOfSuccess(before, wallNow))
      return answer(200, null, changes)
    const after: WebhookEndpoint = { ...before, circuit: succeeded(before.circuit), lastSuccessAt: wallNow }
    return answer(200, null, Changes.combine(putEndpoint(loaded, after, context), changes))
  }
