/** External accounts and directories: each handler calls its service. Spec: 4.3; wire contract 2.1; wire contract areas 1.7. */

import { Api } from "@countersign/client/api"
import { type AccountScope, Discoveries, ExternalAccounts, Ownerships, Vasps } from "@countersign/core"
import { Effect } from "effect"
import { answering, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "externalAccounts",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* ExternalAccounts
    const discoveries = yield* Discoveries
    const owners = yield* Ownerships
    const vasps = yield* Vasps

    interface AccountRequest {
      readonly params: { readonly externalAccountId: string }
    }
    /** Handlers for the paths under /customers and under /platform. */
    const get =
      (scope: AccountScope) =>
      ({ params }: AccountRequest) =>
        ok(accounts.get(scope, params.externalAccountId))
    const remove =
      (scope: AccountScope) =>
      ({ params }: AccountRequest) =>
        noContent(accounts.remove(scope, params.externalAccountId))
    const challenge =
      (scope: AccountScope) =>
      ({
        params,
        payload,
      }: AccountRequest & { readonly payload: { readonly method: "WALLET_SIGNATURE" | "LIVENESS" } }) =>
        owners.challenge(scope, params.externalAccountId, payload.method)
    const verify =
      (scope: AccountScope) =>
      ({ params, payload }: AccountRequest & { readonly payload: Parameters<(typeof owners)["verify"]>[2] }) =>
        owners.verify(scope, params.externalAccountId, payload)

    return handlers.handleAll(
      yield* answering(handlers, {
        getDiscoveries: ({ query }) => ok(discoveries.list(query)),
        listVasps: ({ query }) => ok(vasps.list(query)),
        listCustomerExternalAccounts: ({ query }) => ok(accounts.list("customers", query)),
        createCustomerExternalAccount: ({ payload }) => accounts.create(payload),
        getCustomerExternalAccountById: get("customers"),
        deleteCustomerExternalAccountById: remove("customers"),
        createExternalAccountOwnershipChallenge: challenge("customers"),
        verifyExternalAccountOwnership: verify("customers"),
        listPlatformExternalAccounts: ({ query }) => ok(accounts.list("platform", query)),
        createPlatformExternalAccount: ({ payload }) => accounts.create(payload),
        getPlatformExternalAccountById: get("platform"),
        deletePlatformExternalAccountById: remove("platform"),
        createPlatformExternalAccountOwnershipChallenge: challenge("platform"),
        verifyPlatformExternalAccountOwnership: verify("platform"),
      }),
    )
  }),
)
