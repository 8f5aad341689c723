/**
 * The headers of a signed retry. `NeutralRequest` has given them their neutral names.
 * Spec: Wallet action signing; wire contract 0.1 and 4.7.
 */

import type { WalletHeaders } from "@countersign/core/models"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"

/** Returns a header's trimmed value; `undefined` for a missing or blank one. */
const nonBlank = (value: string | undefined): string | undefined => (value?.trim() === "" ? undefined : value?.trim())

const walletHeaders = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const signature = nonBlank(headers["service-wallet-signature"])
  const requestId = nonBlank(headers["request-id"])
  const parsed: WalletHeaders = {
    ...(signature === undefined ? {} : { signature }),
    ...(requestId === undefined ? {} : { requestId }),
  }
  return parsed
})

/** Calls a service with the wallet headers of the current request. */
export const withSignature = <A, E, R>(use: (headers: WalletHeaders) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(walletHeaders, use)
