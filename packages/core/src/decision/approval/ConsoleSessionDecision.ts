/**
 * Decides the sign-in of an approver, with and without a passkey, and the end of a session.
 * Source: D-352.
 */
import { type Refusal, unauthorizedFor } from "../../foundation/errors/ServiceError.ts"
import type { Approver } from "../../model/approval/Approver.ts"
import * as Session from "../../model/approval/ConsoleSession.ts"
import type { Owner } from "../../model/record/Record.ts"
import type { RegisteredPasskey } from "../../model/wallet/Credential.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { auditRecord } from "../audit/Audit.ts"
import { answer, type Decision, type DecisionContext, refuse, takenClaim } from "../Decision.ts"

export interface SignInLoaded {
  /** The API token that signs in. */
  readonly token: Stored<"ApiToken"> | undefined
  readonly approver: Stored<"Approver"> | undefined
}

const ownerOf = ({ caller }: DecisionContext): Owner => ({ platformId: caller.platformId, customerId: null })

/** Another sign-in has created the approver in the meantime. */
const approverTaken: Refusal = { code: "CONFLICT", message: "The approver has just signed in elsewhere. Try again." }

const newSession = (
  { data, id }: Stored<"ApiToken">,
  now: number,
  more: Pick<Session.ConsoleSession, "approverName" | "origin" | "proof" | "status">,
): Session.ConsoleSession => ({
  tokenId: id,
  clientId: data.clientId,
  expiresAt: now + Session.sessionMillis,
  activeAt: now,
  ...more,
})

/** Names the approver as the actor of the sign-in, although the request has the platform's credentials. */
const signedIn = (context: DecisionContext, id: string, session: Session.ConsoleSession): Changes.Changes =>
  auditRecord(
    context,
    "CONSOLE_SIGN_IN",
    { id, ...ownerOf(context) },
    {
      by: {
        type: "PLATFORM",
        id: session.tokenId,
        approver: { id: session.approverId ?? "", name: session.approverName, proof: session.proof },
      },
    },
  )

export interface SignIn {
  readonly name: string
  readonly origin: string
  readonly secretHash: string
}

/** Signs in by the platform's credentials alone. A new name becomes an approver. */
export const signInBySecret =
  ({ name, origin, secretHash }: SignIn) =>
  ({ approver, token }: SignInLoaded, context: DecisionContext): Decision<Session.ConsoleSessionResource> => {
    if (token === undefined || token.data.isDeleted) return refuse(unauthorizedFor("INVALID_CREDENTIALS"))
    if (approver === undefined && takenClaim(context.rejections) !== undefined) return refuse(approverTaken)
    const { ids, now } = context
    const owner = ownerOf(context)
    const approverId = approver?.id ?? ids("Approver")
    const approverName = approver?.data.name ?? name
    const id = ids("ConsoleSession")
    const session = {
      ...newSession(token, now, { approverName, origin, proof: "SECRET", status: "ACTIVE" }),
      approverId,
      secretHash,
    }
    return answer(
      201,
      Session.toConsoleSession(session),
      Changes.combine(
        Changes.guard(token),
        approver === undefined ? Changes.insert("Approver", approverId, owner, { name }) : Changes.guard(approver),
        Changes.insert("ConsoleSession", id, owner, session),
        signedIn(context, id, session),
      ),
    )
  }

/** Asks for the approver's passkey, or for the registration of one. */
export const challengeApprover =
  ({ challenge, name, origin }: { readonly name: string; readonly origin: string; readonly challenge: string }) =>
  ({ approver, token }: SignInLoaded, context: DecisionContext): Decision<Session.ConsoleChallenge> => {
    if (token === undefined || token.data.isDeleted) return refuse(unauthorizedFor("INVALID_CREDENTIALS"))
    const { ids, now } = context
    const sessionId = ids("ConsoleSession")
    const approverName = approver?.data.name ?? name
    const credentialId = approver?.data.passkey?.credentialId
    const session = {
      ...newSession(token, now, { approverName, origin, proof: "PASSKEY", status: "CHALLENGED" }),
      challenge,
      expiresAt: now + Session.challengeMillis,
    }
    return answer(
      202,
      { sessionId, challenge, approver: approverName, ...(credentialId === undefined ? {} : { credentialId }) },
      Changes.combine(Changes.guard(token), Changes.insert("ConsoleSession", sessionId, ownerOf(context), session)),
    )
  }

/** What the check of the passkey found: the passkey as it is from now on, or the failed check. */
export type ProofResult =
  | { readonly _tag: "Proven"; readonly passkey: RegisteredPasskey }
  | { readonly _tag: "Refused"; readonly reason: string }

export interface ProofLoaded extends SignInLoaded {
  /** The challenged session of the same API token. */
  readonly session: Stored<"ConsoleSession"> | undefined
}

/** Whether the session still waits for a passkey. */
export const isChallenged = (
  session: Stored<"ConsoleSession"> | undefined,
  tokenId: string | undefined,
  now: number,
): session is Stored<"ConsoleSession"> =>
  session?.data.status === "CHALLENGED" && now < session.data.expiresAt && session.data.tokenId === tokenId

const approverChange = ({ approver }: ProofLoaded, id: string, owner: Owner, data: Approver): Changes.Changes =>
  approver === undefined ? Changes.insert("Approver", id, owner, data) : Changes.update(approver, data)

/** Completes a sign-in by a passkey. A challenge is answered once: a wrong answer ends the session. */
export const signInByPasskey =
  (secretHash: string) =>
  (
    loaded: ProofLoaded & { readonly proof: ProofResult | undefined },
    context: DecisionContext,
  ): Decision<Session.ConsoleSessionResource> => {
    const { approver, proof, session, token } = loaded
    const { ids, now } = context
    if (token === undefined || token.data.isDeleted) return refuse(unauthorizedFor("INVALID_CREDENTIALS"))
    if (!isChallenged(session, token.id, now) || proof === undefined) {
      return refuse(unauthorizedFor("PASSKEY_CHALLENGE_SPENT"))
    }
    const { challenge: _used, ...data } = session.data
    if (proof._tag === "Refused") {
      const { reason } = proof
      const ended = Changes.update(session, { ...data, status: "ENDED" })
      return refuse({ code: "UNAUTHORIZED", message: reason, details: { reason } }, ended)
    }
    if (approver === undefined && takenClaim(context.rejections) !== undefined) return refuse(approverTaken)
    const owner = ownerOf(context)
    const approverId = approver?.id ?? ids("Approver")
    const active: Session.ConsoleSession = {
      ...data,
      status: "ACTIVE",
      approverId,
      secretHash,
      expiresAt: now + Session.sessionMillis,
      activeAt: now,
    }
    return answer(
      201,
      Session.toConsoleSession(active),
      Changes.combine(
        Changes.guard(token),
        approverChange(loaded, approverId, owner, { name: data.approverName, passkey: proof.passkey }),
        Changes.update(session, active),
        signedIn(context, session.id, active),
      ),
    )
  }

interface SessionLoaded {
  readonly session: Stored<"ConsoleSession"> | undefined
}

const ended: Refusal = unauthorizedFor("CONSOLE_SESSION_ENDED")

/** Ends a session. An ended one stays as it is. */
export const signOut = ({ session }: SessionLoaded, context: DecisionContext): Decision<null> => {
  if (session === undefined || session.data.status === "ENDED") return answer(204, null)
  const { secretHash: _forgotten, ...data } = session.data
  return answer(
    204,
    null,
    Changes.combine(
      Changes.update(session, { ...data, status: "ENDED" }),
      auditRecord(context, "CONSOLE_SIGN_OUT", session),
    ),
  )
}

/** Notes that the approver did something. */
export const noteActivity = (
  { session }: SessionLoaded,
  { now }: DecisionContext,
): Decision<Session.ConsoleSessionResource> => {
  if (session === undefined || !Session.isActive(session.data, now)) return refuse(ended)
  const isStored = now - session.data.activeAt < Session.activityMillis
  return answer(
    200,
    Session.toConsoleSession(session.data),
    isStored ? {} : Changes.update(session, { ...session.data, activeAt: now }),
  )
}
