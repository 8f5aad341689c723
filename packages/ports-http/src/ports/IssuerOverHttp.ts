/**
 * `Issuer` at an issuer that answers over HTTP.
 * Source: ports/Issuer.ts; D-527.
 */
import type { Issuer } from "@countersign/core/ports"
import { Effect } from "effect"
import type { PortClient } from "../call/PortClient.ts"
import { issuerOperations as operations } from "../contract/IssuerOperations.ts"

/** The members of `Issuer` that are no operations. */
export interface IssuerTraits {
  /** Whether an embedded wallet pays only with an active delegated key. Default: true. */
  readonly needsDelegatedKeys?: boolean
  /** Whether cards have a static 3-D Secure factor, which `provision` receives. Default: false. */
  readonly takesThreeDSecurePassword?: boolean
}

export const issuerOverHttp =
  ({ needsDelegatedKeys = true, takesThreeDSecurePassword = false }: IssuerTraits) =>
  ({ ask, outcomeOf }: PortClient): Issuer["Service"] => ({
    isOffered: true,
    needsDelegatedKeys,
    takesThreeDSecurePassword,
    admits: (accountId) => Effect.map(ask(operations.admits, { accountId }), ({ result }) => result),
    provision: (request) => outcomeOf(operations.provision, request),
    changeState: (notice) => outcomeOf(operations.changeState, notice),
    reveal: ({ card, origin, reference }) => outcomeOf(operations.reveal, { reference, card, origin }),
    screen: (request) => Effect.map(ask(operations.screen, request), ({ result }) => result ?? undefined),
    collect: (request) => outcomeOf(operations.collect, request),
  })
