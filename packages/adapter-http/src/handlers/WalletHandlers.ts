/** Credentials and sessions of embedded wallets: each handler calls its service. Spec: 4.5; wire contract 4.1. */

import { Api } from "@countersign/client/api"
import { Credentials, Sessions, SignIns } from "@countersign/core"
import { Effect } from "effect"
import { withSignature } from "../middleware/WalletHeaders.ts"
import { answering, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "wallet",
  Effect.fnUntraced(function* (handlers) {
    const credentials = yield* Credentials
    const sessions = yield* Sessions
    const signIns = yield* SignIns
    return handlers.handleAll(
      yield* answering(handlers, {
        listAuthCredentials: ({ query }) => ok(credentials.list(query.accountId)),
        createAuthCredential: ({ payload }) => withSignature((headers) => credentials.register(payload, headers)),
        revokeAuthCredential: ({ params }) => withSignature((headers) => credentials.revoke(params.id, headers)),
        challengeAuthCredential: ({ params, payload }) => signIns.challenge(params.id, payload),
        verifyAuthCredential: ({ params, payload }) =>
          withSignature((headers) => signIns.verify(params.id, payload, headers)),
        listAuthSessions: ({ query }) => ok(sessions.list(query.accountId)),
        revokeAuthSession: ({ params }) => withSignature((headers) => sessions.revoke(params.id, headers)),
        refreshAuthSession: ({ params, payload }) =>
          withSignature((headers) => sessions.refresh(params.id, payload, headers)),
      }),
    )
  }),
)
