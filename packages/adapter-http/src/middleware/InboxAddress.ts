/** The addresses of inboxes, beside the interface. Source: D-473. */

/** The route below the address of the service. */
export const inboxRoute = { method: "POST", path: "/inbox/:name" } as const

/** The address of the inbox with this name, of a service at this address. */
export const inboxAddress = (publicUrl: string, name: string): string => `${publicUrl}/inbox/${name}`
