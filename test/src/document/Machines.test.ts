/** The proofs of the machines of documents and of the files behind them. Source: wire contract areas 1.2.5; D-377. */
import { machines } from "@countersign/core/verify"
import { proveMachine } from "../../../packages/test/src/proof/MachineProof.ts"

const { DocumentMachine, FileMachine } = machines

proveMachine(DocumentMachine, {
  specified: [
    [null, "Upload", "STORED"],
    ["STORED", "Replace", "STORED"],
    ["STORED", "Submit", "SUBMITTED"],
    ["SUBMITTED", "Reopen", "STORED"],
    ["SUBMITTED", "Retain", "RETAINED"],
    ["STORED", "Delete", "DELETED"],
    ["STORED", "End", "DELETED"],
    ["SUBMITTED", "End", "DELETED"],
    ["RETAINED", "End", "DELETED"],
  ],
})

proveMachine(FileMachine, {
  specified: [
    [null, "Receive", "RECEIVING"],
    ["RECEIVING", "Keep", "KEPT"],
    ["RECEIVING", "Abandon", "ABANDONED"],
    ["KEPT", "Erase", "ERASED"],
    ["ABANDONED", "Erase", "ERASED"],
  ],
})
