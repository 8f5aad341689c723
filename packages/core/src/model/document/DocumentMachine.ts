/**
 * The states of a document. They are not on the wire: they decide what may be replaced and deleted.
 * Source: wire contract areas 1.2.5.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const DocumentMachine = Machine.make({
  name: "Document",
  arrows: [
    [null, "Upload", "STORED"],
    ["STORED", "Replace", "STORED"],
    ["STORED", "Submit", "SUBMITTED"],
    ["SUBMITTED", "Reopen", "STORED"],
    ["SUBMITTED", "Retain", "RETAINED"],
    ["STORED", "Delete", "DELETED"],
    // The customer was deleted.
    ["STORED", "End", "DELETED"],
    ["SUBMITTED", "End", "DELETED"],
    ["RETAINED", "End", "DELETED"],
  ],
})
