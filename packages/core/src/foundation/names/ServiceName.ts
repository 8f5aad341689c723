/**
 * The service's name on the wire, and the spelling that it gives to the elements of the table.
 * Source: wire contract areas 2.5; D-370.
 */
import { type ServiceElement, type ServiceElementKind, ServiceElements } from "./ServiceElements.ts"

/** The service's name where a deployment sets no other one. */
export const serviceNameDefault = "Service"

/** What a service's name must be, for a message about one that is not. */
export const serviceNameRule = "a letter, then at most 31 letters and digits, and not Platform"

/** Whether a text can be the service's name. With `Platform`, `CLOSED_BY_SERVICE` would read as `CLOSED_BY_PLATFORM`, which is another value. */
export const isServiceName = (text: string): boolean =>
  /^[A-Za-z][A-Za-z0-9]{0,31}$/u.test(text) && text.toLowerCase() !== "platform"

/** The form of the name in each kind of element. */
const forms: { readonly [kind in ServiceElementKind]: (name: string) => string } = {
  header: (name) => name,
  field: (name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
  value: (name) => name.toUpperCase(),
}

/** Returns an element as the service of this name spells it. */
export const spelled = (element: ServiceElement, serviceName: string): string => {
  const form = forms[ServiceElements.get(element)]
  return element.replace(form(serviceNameDefault), form(serviceName))
}
