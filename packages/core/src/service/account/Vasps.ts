/**
 * The directory of exchanges that a wallet may name as its custodian.
 * Source: wire contract areas 1.7.
 */
import { Context, Effect, Layer } from "effect"
import type { ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { VaspListResponse } from "../../model/account/VaspResource.ts"
import { directoryPage, type ListQuery } from "../../operation/Listing.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { VaspDirectory } from "../../ports/VaspDirectory.ts"
import type { CurrentCaller } from "../../store/Caller.ts"

export type VaspsQuery = Omit<ListQuery, "sortOrder">

export class Vasps extends Context.Service<
  Vasps,
  {
    /** Lists the exchanges by name. */
    readonly list: (query: VaspsQuery) => Effect.Effect<VaspListResponse, ServiceError, CurrentCaller>
  }
>()("@countersign/core/Vasps") {
  static readonly layer = Layer.effect(
    Vasps,
    Effect.map(VaspDirectory, (directory) => {
      const list = (query: VaspsQuery) =>
        Effect.flatMap(directory.entries, (vasps) =>
          directoryPage(vasps, ({ vaspName }) => vaspName, { list: "vasps" }, query),
        )
      return Vasps.of({ list: (query) => platformOnly(list(query)) })
    }),
  )
}
