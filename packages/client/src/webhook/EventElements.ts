/**
 * Where the data of an event has elements that carry the service's name, by resource. A test derives the table from the schemas, which are
 * larger than the verifier and so are not loaded by it.
 * Source: wire contract areas 2.5; D-371.
 */
import type { EventResources, ServiceElement } from "@countersign/core/models"

export interface EventElement {
  /** The path of an object's members, or of a value. */
  readonly at: ReadonlyArray<string>
  readonly members?: ReadonlyArray<ServiceElement>
  readonly values?: ReadonlyArray<ServiceElement>
}

const rateDetails: ReadonlyArray<ServiceElement> = [
  "serviceApiMultiplier",
  "serviceApiFixedFee",
  "serviceApiVariableFeeRate",
  "serviceApiVariableFeeAmount",
]

export const EventElements: { readonly [Resource in keyof typeof EventResources.rows]?: ReadonlyArray<EventElement> } =
  {
    AgentAction: [
      { at: ["quote", "rateDetails"], members: rateDetails },
      { at: ["transaction", "rateDetails"], members: rateDetails },
    ],
    OutgoingTransaction: [{ at: ["rateDetails"], members: rateDetails }],
    Card: [{ at: ["stateReason"], values: ["CLOSED_BY_SERVICE"] }],
  }
