/**
 * Whose turn a request takes: its tenant's if its credentials were right before; otherwise the turn of all who are unknown, which their
 * addresses share, and within an address their credentials. Requests that ask about the process have turns of their own.
 * Source: D-363. A caller that invents credentials gets the turn of an unknown one, so it cannot use up another tenant's turns.
 */
import type { IncomingMessage } from "node:http"
import { type ClientAddress, sourceOf } from "../middleware/ClientAddress.ts"
import type { ServerLimits } from "../middleware/ServerLimits.ts"
import type { Owner } from "./FairQueue.ts"
import * as KnownTenants from "./KnownTenants.ts"
import { addressOf, clientAddressOf } from "./NodeRequest.ts"

export interface RequestOwners {
  readonly pathOf: (request: IncomingMessage) => ReadonlyArray<Owner>
  /** Notes whose a request was found to be; `undefined`: its credentials were wrong. */
  readonly note: (request: IncomingMessage, tenant: string | undefined) => void
}

/** An approver's credentials are a cookie. */
const credentialsOf = ({ headers }: IncomingMessage): string | undefined => headers.authorization ?? headers.cookie

export const make = (
  { requestsInFlightMax, requestsInFlightPerTenantMax: max }: ServerLimits,
  addresses: ClientAddress,
  asksAboutProcess: (url: string) => boolean = () => false,
): RequestOwners => {
  const known = KnownTenants.make()
  const unknown: Owner = { name: "unknown", max: requestsInFlightMax }
  const aboutProcess: Owner = { name: "process", max: requestsInFlightMax }
  return {
    pathOf: (request) => {
      const credentials = credentialsOf(request)
      const tenant = known.of(credentials)
      if (tenant !== undefined) return [{ name: `tenant ${tenant}`, max }]
      const client = clientAddressOf(request, addresses)
      const address: Owner = { name: client === undefined ? "" : sourceOf(client), max }
      return asksAboutProcess(addressOf(request))
        ? [aboutProcess, address]
        : [unknown, address, { name: credentials ?? "", max }]
    },
    note: (request, tenant) => {
      const credentials = credentialsOf(request)
      if (credentials === undefined) return
      if (tenant === undefined) known.forget(credentials)
      else known.remember(credentials, tenant)
    },
  }
}
