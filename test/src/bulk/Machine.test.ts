/** The machine of bulk imports is the one that the contract describes. Source: wire contract areas 1.5.4. */
import { machines } from "@countersign/core/verify"
import { proveMachine } from "../../../packages/test/src/proof/MachineProof.ts"

proveMachine(machines.BulkImportMachine, {
  specified: [
    [null, "Accept", "PENDING"],
    ["PENDING", "Begin", "PROCESSING"],
    ["PROCESSING", "Complete", "COMPLETED", ["BULK_UPLOAD.COMPLETED"]],
    ["PROCESSING", "Fail", "FAILED", ["BULK_UPLOAD.FAILED"]],
  ],
})
