/** Credentials and sessions of embedded wallets: each handler passes on to its service. Spec: 4.5; wire contract 4.1. */

import { Api } from "@countersign/client/api"
import { Credentials, Sessions, SignIns } from "@countersign/core"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond, respondOk } from "../middleware/Answers.ts"
import { withSignature } from "../middleware/WalletHeaders.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "wallet",
  Effect.fnUntraced(function* (handlers) {
    const credentials = yield* Credentials
    const sessions = yield* Sessions
    const signIns = yield* SignIns
    return handlers.handleAll({
      listCredentials: ({ query }) => respondOk(credentials.list(query.accountId)),
      registerCredential: ({ payload }) => respond(withSignature((headers) => credentials.register(payload, headers))),
      revokeCredential: ({ params }) =>
        respond(withSignature((headers) => credentials.revoke(params.credentialId, headers))),
      challengeCredential: ({ params, payload }) => respond(signIns.challenge(params.credentialId, payload)),
      verifyCredential: ({ params, payload }) =>
        respond(withSignature((headers) => signIns.verify(params.credentialId, payload, headers))),
      listSessions: ({ query }) => respondOk(sessions.list(query.accountId)),
      revokeSession: ({ params }) => respond(withSignature((headers) => sessions.revoke(params.sessionId, headers))),
      refreshSession: ({ params, payload }) =>
        respond(withSignature((headers) => sessions.refresh(params.sessionId, payload, headers))),
    })
  }),
)
