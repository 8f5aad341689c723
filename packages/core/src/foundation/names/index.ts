/**
 * The names of the service on the wire, without schemas: small enough for receivers of webhooks.
 * Source: D-370, D-442.
 */
export { type ServiceElement, ServiceElements } from "./ServiceElements.ts"
export { serviceNameDefault, spelled } from "./ServiceName.ts"
export { respellText, type Spellings, spellingsOf } from "./Spellings.ts"
