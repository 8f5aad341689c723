/**
 * Where the data of an event has elements that carry the service's name, by the first part of its type. A test derives the table from the
 * schemas, which are larger than the verifier and so are not loaded by it.
 * Source: wire contract areas 2.5; D-371.
 */
import type { EventType } from "@countersign/core/models"
import type { ServiceElement } from "@countersign/core/names"

/** `CARD` of `CARD.STATE_CHANGE`. */
type EventSubject<Type = EventType> = Type extends `${infer Subject}.${string}` ? Subject : never

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

export const EventElements: { readonly [Subject in EventSubject]?: ReadonlyArray<EventElement> } = {
  AGENT_ACTION: [
    { at: ["quote", "rateDetails"], members: rateDetails },
    { at: ["transaction", "rateDetails"], members: rateDetails },
  ],
  OUTGOING_PAYMENT: [{ at: ["rateDetails"], members: rateDetails }],
  CARD: [{ at: ["stateReason"], values: ["CLOSED_BY_SERVICE"] }],
}
