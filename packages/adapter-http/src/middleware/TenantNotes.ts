/**
 * Tells the server of a request whose it was found to be, so that the server knows the owner of the next one before it checks credentials.
 * Source: D-363.
 */

/** A request of a server that gives tenants turns. */
export interface TenantNoting {
  /** `undefined`: the credentials were wrong. */
  readonly noteTenant: (tenant: string | undefined) => void
}

const takesNotes = (request: object): request is TenantNoting => "noteTenant" in request

/** Notes the tenant of a request's credentials. Requests of other servers than ours have no turns. */
export const noteTenant = (request: object | undefined, tenant: string | undefined): void => {
  if (request !== undefined && takesNotes(request)) request.noteTenant(tenant)
}
