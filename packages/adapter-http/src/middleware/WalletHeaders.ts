/**
 * The headers of a signed retry, under the deployment's own names and under the specification's.
 * Spec: Wallet action signing; wire contract 0.1 and 4.7.
 */

import type { WalletHeaders } from "@countersign/core/models"
import { WireNames } from "@countersign/core/ports"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"

/** A header that is there and says something. */
const said = (value: string | undefined): string | undefined => (value?.trim() === "" ? undefined : value?.trim())

const walletHeaders = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { headerPrefix } = yield* WireNames
  const signature =
    said(headers[`${headerPrefix.toLowerCase()}-wallet-signature`]) ?? said(headers["service-wallet-signature"])
  const requestId = said(headers["request-id"])
  const given: WalletHeaders = {
    ...(signature === undefined ? {} : { signature }),
    ...(requestId === undefined ? {} : { requestId }),
  }
  return given
})

/** Calls a service with the headers of the present request. */
export const withSignature = <A, E, R>(use: (headers: WalletHeaders) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(walletHeaders, use)
