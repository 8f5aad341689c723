/**
 * State machine of the circuit breaker of a webhook endpoint. While it is open nothing is sent; half open, one probe is.
 * Source: D-333.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const CircuitMachine = Machine.make({
  name: "WebhookCircuit",
  arrows: [
    [null, "Create", "CLOSED"],
    ["CLOSED", "Trip", "OPEN"],
    ["OPEN", "Probe", "HALF_OPEN"],
    // The process of the last probe has died.
    ["HALF_OPEN", "Probe", "HALF_OPEN"],
    ["HALF_OPEN", "Fail", "OPEN"],
    ["CLOSED", "Succeed", "CLOSED"],
    // The delivery began before the circuit opened, or the platform tests its endpoint.
    ["OPEN", "Succeed", "CLOSED"],
    ["HALF_OPEN", "Succeed", "CLOSED"],
  ],
})
