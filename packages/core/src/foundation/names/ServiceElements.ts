/**
 * The table of wire elements that carry the service's name, each under its neutral spelling, with the kind that decides its other spelling.
 * Source: wire contract areas 2.5; wire contract 0.1; D-370.
 *
 * A member or a value of a schema whose neutral spelling is a row is renamed at the edge: its schema needs no other declaration.
 */
import * as Table from "../kit/Table.ts"

export const ServiceElements = Table.make("ServiceElements", {
  "Service-Wallet-Signature": "header",
  "X-Service-Signature": "header",
  "X-Service-Key-Signatures": "header",
  serviceApiMultiplier: "field",
  serviceApiFixedFee: "field",
  serviceApiVariableFeeRate: "field",
  serviceApiVariableFeeAmount: "field",
  // A member of `Stablecoin` and a query parameter of its list.
  serviceOperationsStatus: "field",
  SERVICE_SWITCH_ERROR: "value",
  CLOSED_BY_SERVICE: "value",
  SERVICE_INTERNAL_ACCOUNT: "value",
})

/** A header, field or value that carries the service's name, in its neutral spelling. */
export type ServiceElement = (typeof ServiceElements.keys)[number]
export type ServiceElementKind = (typeof ServiceElements.rows)[ServiceElement]
