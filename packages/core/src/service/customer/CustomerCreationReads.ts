/**
 * What the creation of a customer depends on: the platform, the root of a wallet's keys, and the provider's first status.
 * Source: wire contract 5.11.
 */
import { Effect } from "effect"
import { checkOf } from "../../decision/customer/CustomerChecks.ts"
import type { CustomerCreation } from "../../model/customer/CustomerRequest.ts"
import type { Read } from "../../operation/Operation.ts"
import type { Verifier } from "../../ports/Verifier.ts"
import { newestRoot } from "../wallet/RootVault.ts"
import { loadPlatform } from "./CustomerReads.ts"

export const loadForCreation = Effect.fnUntraced(function* (read: Read, { email }: CustomerCreation) {
  const platform = yield* loadPlatform(read)
  return { platform, rootId: email === undefined ? undefined : yield* newestRoot }
})

/** Returns the question to the provider, which is asked once per request, however often that is decided. */
export const firstStatus = (verifier: Verifier["Service"], customerId: string, request: CustomerCreation) =>
  Effect.cached(verifier.checkCustomer(checkOf(customerId, request))).pipe(
    Effect.map((status) => () => Effect.map(status, (checkStatus) => ({ checkStatus }))),
  )
