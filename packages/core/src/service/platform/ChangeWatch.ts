/**
 * Says that something of the caller's platform changed, for pages that then read it again.
 * Source: D-453.
 */
import { Context, Effect, Layer, type Scope } from "effect"
import { PortFaults } from "../../ports/PortFaults.ts"
import { RequestJournal } from "../../ports/RequestJournal.ts"
import { WebhookInbox } from "../../ports/WebhookInbox.ts"
import { CurrentCaller } from "../../store/Caller.ts"
import type { OnChange } from "../../store/ChangeSignal.ts"
import type { ChangeTopic } from "../../store/ChangeTopics.ts"
import { Store } from "../../store/Store.ts"

export class ChangeWatch extends Context.Service<
  ChangeWatch,
  {
    /** Reports the topics of each change of the caller's platform until the scope closes: of commits those of any process. */
    readonly watch: (onChange: OnChange) => Effect.Effect<void, never, CurrentCaller | Scope.Scope>
  }
>()("@countersign/core/ChangeWatch") {
  static readonly layer = Layer.effect(
    ChangeWatch,
    Effect.gen(function* () {
      const store = yield* Store
      const journal = yield* RequestJournal
      const inbox = yield* WebhookInbox
      const faults = yield* PortFaults
      const requests = new Set<ChangeTopic>(["requests"])
      const messages = new Set<ChangeTopic>(["inbox"])
      const faulty = new Set<ChangeTopic>(["faults"])
      return ChangeWatch.of({
        watch: Effect.fnUntraced(function* (onChange) {
          const { platformId } = yield* CurrentCaller
          yield* store.watch(platformId, onChange)
          if (journal !== undefined) yield* journal.watch(platformId, () => onChange(requests))
          if (faults !== undefined) yield* faults.watch(() => onChange(faulty))
          if (inbox !== undefined) yield* inbox.watch(platformId, () => onChange(messages))
        }),
      })
    }),
  )
}
