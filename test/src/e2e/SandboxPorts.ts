/**
 * Ports of a deployment of one's own, as `--ports` takes them: rates and checks of the sandbox, and a bank that cannot
 * pull from accounts whose number ends in 8, and knows that those ending in 9 hold nothing.
 */
import { SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import * as SureRails from "../harness/SureRails.ts"

const bank = SureRails.layer({
  inspectPull: ({ accountInfo }) => {
    const number = String(accountInfo["accountNumber"])
    return Effect.succeed({
      pullable: !number.endsWith("8"),
      funds: number.endsWith("9") ? ("insufficient" as const) : ("unknown" as const),
    })
  },
})

export default Layer.mergeAll(bank, SandboxRates.layer, SandboxVerifier.layer)
