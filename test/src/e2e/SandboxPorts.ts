/**
 * Ports of a deployment of one's own, as `--ports` takes them: rates and checks of the sandbox, and a bank that cannot
 * pull from accounts whose number ends in 8, and knows that those ending in 9 hold nothing.
 */
import { Rails } from "@countersign/core"
import { SandboxCodes, SandboxRates, SandboxSca, SandboxVerifier } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"

const bank = Layer.succeed(Rails, {
  inspectPull: ({ accountInfo }) => {
    const number = String(accountInfo["accountNumber"])
    return Effect.succeed({
      pullable: !number.endsWith("8"),
      funds: number.endsWith("9") ? ("insufficient" as const) : ("unknown" as const),
    })
  },
  pull: () => Effect.succeed({ _tag: "Done" as const }),
})

export default Layer.mergeAll(bank, SandboxRates.layer, SandboxVerifier.layer, SandboxCodes.layer, SandboxSca.layer)
