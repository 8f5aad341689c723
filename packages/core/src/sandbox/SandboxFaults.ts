/**
 * Injects the faults that are switched on into the ports and the store of a sandbox. Without this layer there are none.
 * Source: D-480.
 */
import { Context, Effect, Layer } from "effect"
import { Issuer } from "../ports/Issuer.ts"
import { PortFaults, WithoutStoreFaults } from "../ports/PortFaults.ts"
import { Rails } from "../ports/Rails.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { WebhookTransport } from "../ports/WebhookTransport.ts"
import type { ChangeSet } from "../store/ChangeSet.ts"
import { kindsOfServer } from "../store/StateImages.ts"
import { Store } from "../store/Store.ts"
import * as FaultSwitches from "./FaultSwitches.ts"
import { type CommitFault, faultyStore } from "./FaultyCalls.ts"
import { cause, faultyIssuer, faultyRails, faultyWebhooks } from "./FaultyPorts.ts"

/** A sign-in and the use of a credential stay possible, or nobody could switch the fault off. */
const isOfAccess = ({ inserts, updates }: ChangeSet): boolean =>
  inserts.length + updates.length > 0 &&
  [...inserts, ...updates].some(({ kind }) => kindsOfServer.includes(kind)) &&
  [...inserts, ...updates].every(({ kind }) => kindsOfServer.includes(kind) || kind === "AuditRecord")

const storeFaultOf = (switches: FaultSwitches.FaultSwitches) => (set: ChangeSet) =>
  Effect.map(WithoutStoreFaults, (isSpared): CommitFault | undefined => {
    if (isSpared || isOfAccess(set)) return undefined
    const fault = switches.roll("store")
    if (fault !== undefined) switches.hit("store")
    return fault?.kind
  })

/** Provide it between all services, and the ports and the store. */
export const layer: Layer.Layer<
  Rails | Issuer | WebhookTransport | Store,
  never,
  Rails | Issuer | WebhookTransport | Store
> = Layer.effectContext(
  Effect.gen(function* () {
    const switches = FaultSwitches.make()
    return Context.make(PortFaults, switches).pipe(
      Context.add(Rails, faultyRails(yield* Rails, switches)),
      Context.add(Issuer, faultyIssuer(yield* Issuer, switches)),
      Context.add(WebhookTransport, faultyWebhooks(yield* WebhookTransport, switches)),
      Context.add(Store, faultyStore(yield* Store, { cause, ofCommit: storeFaultOf(switches) })),
    )
  }),
).pipe(sandboxOnly("SandboxFaults"))
