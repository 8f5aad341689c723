/**
 * Ends a customer's access: its wallet sessions, and the tokens and open device codes of its agents.
 * Source: D-356.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { type CustomerAccessLoaded, endCustomerAccess } from "../../decision/customer/CustomerAccessDecision.ts"
import { notFound, type ServiceError } from "../../foundation/errors/ServiceError.ts"
import type { CustomerAccessEnd } from "../../model/customer/CustomerAccess.ts"
import { listAll } from "../../operation/Listing.ts"
import * as Operation from "../../operation/Operation.ts"
import { platformOnly } from "../../operation/PlatformOnly.ts"
import { readExisting } from "../../operation/ReadExisting.ts"
import type { WallTime } from "../../ports/WallTime.ts"
import type { CurrentCaller } from "../../store/Caller.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import { activeAt } from "../wallet/WalletReads.ts"

const load = Effect.fnUntraced(function* (read: Operation.Read, id: string) {
  const customer = yield* readExisting(read, "Customer", id, notFound("customer", "USER_NOT_FOUND"))
  const customerId = { eq: id }
  // The codes are read before the agents: a code that becomes a token between the two reads is in one of them.
  const deviceCodes = yield* listAll("DeviceCode", { customerId, status: { eq: "ISSUED" } })
  const loaded: CustomerAccessLoaded = {
    customer,
    sessions: yield* listAll("Session", { customerId, ...activeAt(yield* Clock.currentTimeMillis) }),
    profile: (yield* read({ records: [{ kind: "ScaProfile", id }] })).record("ScaProfile", id),
    agents: yield* listAll("Agent", { customerId, isDeleted: { eq: false } }),
    deviceCodes,
  }
  return loaded
})

export class CustomerAccess extends Context.Service<
  CustomerAccess,
  {
    /** Ends all sessions and tokens that exist now. A repetition ends nothing more. Errors: `USER_NOT_FOUND`. */
    readonly end: (
      customerId: string,
    ) => Effect.Effect<Operation.Answered<CustomerAccessEnd>, ServiceError | StoreUnavailable, CurrentCaller>
  }
>()("@countersign/core/CustomerAccess") {
  static readonly layer = Layer.effect(
    CustomerAccess,
    Effect.gen(function* () {
      const services = yield* Effect.context<Store | WallTime | SecureRandom.SecureRandom>()

      const end = Effect.fnUntraced(
        function* (customerId: string) {
          return yield* Operation.run({
            name: "CustomerAccess.end",
            ids: 1,
            load: (read) => load(read, customerId),
            decide: endCustomerAccess,
          })
        },
        platformOnly,
        Effect.provideContext(services),
      )

      return CustomerAccess.of({ end })
    }),
  )
}
