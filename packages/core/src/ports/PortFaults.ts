/**
 * The faults that are switched on in this process. Only a sandbox has any: no other deployment has the layer that injects them.
 * Source: D-480.
 */
import { Context, type Effect, type Scope } from "effect"
import type { FaultPort, FaultsRequest } from "../model/fault/FaultResource.ts"

export interface PortFaults {
  /** Those that are on. A fault of the store ends with its last commit. */
  readonly settings: () => FaultsRequest
  /** How many calls have met each of them. */
  readonly met: (port: FaultPort) => number
  /** Replaces all of them; the counts and the dice begin again. */
  readonly set: (faults: FaultsRequest) => void
  /** Calls `onChange` when they are set and when a call meets one, until the scope closes. */
  readonly watch: (onChange: () => void) => Effect.Effect<void, never, Scope.Scope>
}

/** `undefined`: the deployment has no faults. */
export const PortFaults = Context.Reference<PortFaults | undefined>("@countersign/core/PortFaults", {
  defaultValue: () => undefined,
})

/** Whether the commits of an effect meet no fault of the store: the way back must stay open. */
export const WithoutStoreFaults = Context.Reference<boolean>("@countersign/core/WithoutStoreFaults", {
  defaultValue: () => false,
})
