/**
 * The states of an uploaded file's bytes. Bytes that no record keeps within an hour are erased.
 * Source: wire contract areas 1.2.8 (commit order); D-377.
 */
import * as Machine from "../../foundation/kit/Machine.ts"

export const FileMachine = Machine.make({
  name: "File",
  arrows: [
    [null, "Receive", "RECEIVING"],
    ["RECEIVING", "Keep", "KEPT"],
    ["RECEIVING", "Abandon", "ABANDONED"],
    ["KEPT", "Erase", "ERASED"],
    ["ABANDONED", "Erase", "ERASED"],
  ],
})
