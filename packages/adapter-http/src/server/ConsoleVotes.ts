/**
 * The votes of the approvals page on a held action: what is voted on, the challenge for the passkey, and the vote. They belong to the page,
 * and are no part of the interface, because a vote is one of a person whom the console knows.
 * Source: D-353, D-532.
 */
import { ActionVotes, Authentication, CurrentCaller, VotePasskey } from "@countersign/core"
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { answerFailures } from "../middleware/Answers.ts"
import { tokenRefusal } from "../middleware/CredentialChecks.ts"
import type { Route } from "../middleware/MethodTable.ts"
import { bodyOf, currentSession, ownPage } from "./ConsolePage.ts"

const path = "/console/votes/:agentId/:actionId"

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path },
  { method: "POST", path },
  { method: "POST", path: `${path}/passkey` },
]

const Digest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u, { expected: "64 hexadecimal digits" }))
const VoteRequest = Schema.Struct({ digest: Digest })
const SignedVoteRequest = Schema.Struct({ digest: Digest, ...VotePasskey.fields })

export const add = Effect.fnUntraced(function* (router: HttpRouter.HttpRouter) {
  const authentication = yield* Authentication
  const votes = yield* ActionVotes

  /** Runs as the approver of the session, whose token must grant the permission. */
  const asApprover = Effect.fnUntraced(function* <A, E, R>(
    tokenPermission: "VIEW" | "TRANSACT",
    run: (on: {
      readonly sessionId: string
      readonly origin: string
      readonly agentId: string
      readonly actionId: string
    }) => Effect.Effect<A, E, R>,
  ) {
    const page = yield* ownPage
    const { caller, session } = yield* currentSession(authentication, page)
    const refusal = tokenRefusal({ tokenPermission }, caller.permissions)
    if (refusal !== undefined) return yield* refusal
    const { actionId = "", agentId = "" } = yield* HttpRouter.params
    const on = { sessionId: session.id, origin: page.origin, agentId, actionId }
    return HttpServerResponse.jsonUnsafe(yield* Effect.provideService(run(on), CurrentCaller, caller))
  })

  const show = asApprover(
    "VIEW",
    Effect.fnUntraced(function* ({ actionId, agentId }) {
      return { votes: yield* votes.show(agentId, actionId) }
    }),
  )

  /** Votes at once, or returns the challenge that the vote must answer. */
  const vote = asApprover(
    "TRANSACT",
    Effect.fnUntraced(function* ({ origin, ...on }) {
      const { digest } = yield* bodyOf(VoteRequest)
      const challenge = yield* votes.begin({ ...on, digest })
      return challenge === null ? { action: yield* votes.cast({ ...on, digest }, origin) } : { challenge }
    }),
  )

  const signed = asApprover(
    "TRANSACT",
    Effect.fnUntraced(function* ({ origin, ...on }) {
      const { digest, ...passkey } = yield* bodyOf(SignedVoteRequest)
      return { action: yield* votes.cast({ ...on, digest }, origin, passkey) }
    }),
  )

  yield* router.add("GET", path, answerFailures(show))
  yield* router.add("POST", path, answerFailures(vote))
  yield* router.add("POST", `${path}/passkey`, answerFailures(signed))
})
