/** A bank that says itself whether it can be used: `countersign doctor --live` shows it. */
import { type Rails, withPortChecks } from "@countersign/core/ports"
import { Effect } from "effect"

export const checkedBank = (rails: Rails["Service"], isUp: Effect.Effect<boolean>): Rails["Service"] =>
  withPortChecks(rails, [
    {
      name: "our bank",
      run: Effect.map(isUp, (answers) =>
        answers
          ? ({ status: "ok", text: "its interface answers" } as const)
          : ({ status: "problem", text: "its interface does not answer", fix: "call its desk" } as const),
      ),
    },
  ])
