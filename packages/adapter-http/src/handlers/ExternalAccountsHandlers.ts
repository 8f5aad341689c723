/** External accounts and discoveries: each handler passes on to its service. Spec: 4.3; wire contract 2.1. */

import { Api } from "@countersign/client/api"
import { type AccountScope, Discoveries, ExternalAccounts, Ownerships } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond, respondEmpty, respondOk } from "../middleware/Answers.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "externalAccounts",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* ExternalAccounts
    const discoveries = yield* Discoveries
    const owners = yield* Ownerships

    interface Named {
      readonly params: { readonly externalAccountId: string }
    }
    /** The same calls under /customers and under /platform. */
    const get =
      (of: AccountScope) =>
      ({ params }: Named) =>
        respondOk(accounts.get(of, params.externalAccountId))
    const remove =
      (of: AccountScope) =>
      ({ params }: Named) =>
        respondEmpty(accounts.remove(of, params.externalAccountId))
    const challenge =
      (of: AccountScope) =>
      ({ params, payload }: Named & { readonly payload: { readonly method: "WALLET_SIGNATURE" | "LIVENESS" } }) =>
        respond(owners.challenge(of, params.externalAccountId, payload.method))
    const verify =
      (of: AccountScope) =>
      ({ params, payload }: Named & { readonly payload: Parameters<(typeof owners)["verify"]>[2] }) =>
        respond(owners.verify(of, params.externalAccountId, payload))

    return handlers.handleAll({
      discoveries: ({ query }) => respondOk(discoveries.list(query)),
      listOfCustomers: ({ query }) => respondOk(accounts.list("customers", query)),
      createOfCustomer: ({ payload }) => respond(accounts.create(payload)),
      getOfCustomer: get("customers"),
      removeOfCustomer: remove("customers"),
      challengeOfCustomer: challenge("customers"),
      verifyOfCustomer: verify("customers"),
      listOfPlatform: ({ query }) => respondOk(accounts.list("platform", query)),
      createOfPlatform: ({ payload }) => respond(accounts.create(payload)),
      getOfPlatform: get("platform"),
      removeOfPlatform: remove("platform"),
      challengeOfPlatform: challenge("platform"),
      verifyOfPlatform: verify("platform"),
    })
  }),
)
