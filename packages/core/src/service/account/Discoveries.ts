/**
 * The bank directory: the banks and operators that external accounts may name.
 * Spec: 4.3 (GET /discoveries); wire contract 2.8.
 */
import { Context, Effect, Layer } from "effect"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { DiscoveryListResponse } from "../../model/account/DiscoveryResource.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { BankDirectory, type BankFilter } from "../../ports/BankDirectory.ts"
import type { CurrentCaller } from "../../store/Caller.ts"

export class Discoveries extends Context.Service<
  Discoveries,
  {
    /** Lists the matching banks: none for an unknown country or currency. */
    readonly list: (filter: BankFilter) => Effect.Effect<DiscoveryListResponse, ServiceError, CurrentCaller>
  }
>()("@countersign/core/Discoveries") {
  static readonly layer = Layer.effect(
    Discoveries,
    Effect.map(BankDirectory, (directory) =>
      Discoveries.of({ list: (filter) => platformOnly(Effect.map(directory.find(filter), (data) => ({ data }))) }),
    ),
  )
}
