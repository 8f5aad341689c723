/**
 * The ids of reports that arrived from outside. A report with an id that was seen, in whichever process, is a replay: an older report would
 * otherwise undo a newer one.
 * Source: D-536.
 */
import { Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"

/** How long an id is remembered (ms): a report is valid for five minutes before and after its time, and clocks differ. */
const keptMillis = 15 * 60 * 1000

export class SeenReports extends Context.Service<
  SeenReports,
  {
    /**
     * Remembers an id, as the platform of the report, before the report is stored; `false`: it was seen before. A process that ends in
     * between leaves no receipt, and its sender sends the report again under another id.
     */
    readonly note: (id: string) => Effect.Effect<boolean, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/SeenReports") {
  static readonly layer = Layer.effect(
    SeenReports,
    Effect.gen(function* () {
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()
      return SeenReports.of({
        note: (id) =>
          Operation.run({
            name: "SeenReports.note",
            // The answer of an idempotency key, which all processes share.
            keyed: { key: id, method: "POST", path: "/reports", body: {}, keptMillis },
            load: (read) => read({}),
            decide: () => Operation.answer(200, null),
          }).pipe(
            Effect.map(({ replayed }) => !replayed),
            platformOnly,
            Effect.provideContext(services),
          ),
      })
    }),
  )
}
