/**
 * Credentials and sessions of embedded wallets.
 * Spec: 4.5; wire contract 4.1.
 */
import {
  AuthCredentialChallenge,
  AuthMethodResponse,
  AuthSession,
  AuthSignedRequestChallenge,
  CredentialChallengeRequest,
  CredentialCreateRequest,
  CredentialListResponse,
  CredentialVerifyRequest,
  Id,
  SessionListResponse,
  SessionRefreshRequest,
  SignedRequestChallenge,
} from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { pathId, signedRetry } from "./Parameters.ts"
import { accepted, created } from "./Statuses.ts"

const view = { tokenPermission: "VIEW" } as const
const manage = { tokenPermission: "MANAGE" } as const

const ofWallet = { accountId: Id("InternalAccount") }
const credentialId = { id: pathId("credential") }
const sessionId = { id: pathId("session") }

const challenged = accepted(AuthSignedRequestChallenge)
const challengedSession = accepted(SignedRequestChallenge)

export const WalletApi = HttpApiGroup.make("wallet")
  .add(
    HttpApiEndpoint.get("listAuthCredentials", "/auth/credentials", {
      query: ofWallet,
      success: CredentialListResponse,
      error: failures(),
    })
      .annotate(Access, { ...view, isForConsole: true })
      .annotateMerge(
        documented(
          "listAuthCredentials",
          "List credentials",
          "The credentials with which the owner of a wallet signs in, without pages.",
        ),
      ),
    HttpApiEndpoint.post("createAuthCredential", "/auth/credentials", {
      headers: signedRetry,
      payload: CredentialCreateRequest,
      success: [created(AuthMethodResponse), challenged],
      error: failures(404, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "createAuthCredential",
          "Register a credential",
          "The first credential of a wallet is a 201 at once. Any session of the wallet signs the request for a further one: 202 first, then 201.",
        ),
      ),
    HttpApiEndpoint.delete("revokeAuthCredential", "/auth/credentials/:id", {
      params: credentialId,
      headers: signedRetry,
      success: [HttpApiSchema.NoContent, challenged],
      error: failures(404),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "revokeAuthCredential",
          "Revoke a credential",
          "Ends its sessions, too. A session of another credential of the wallet signs the request: 202 first, then 204. The last credential cannot be revoked.",
        ),
      ),
    HttpApiEndpoint.post("challengeAuthCredential", "/auth/credentials/:id/challenge", {
      params: credentialId,
      payload: CredentialChallengeRequest,
      success: AuthCredentialChallenge,
      error: failures(404),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "challengeAuthCredential",
          "Challenge a credential",
          "EMAIL_OTP and SMS_OTP: sends a new code, which invalidates the previous one. PASSKEY: returns a WebAuthn challenge for a session of `clientPublicKey`.",
        ),
      ),
    HttpApiEndpoint.post("verifyAuthCredential", "/auth/credentials/:id/verify", {
      params: credentialId,
      headers: signedRetry,
      payload: CredentialVerifyRequest,
      success: [AuthSession, challenged],
      error: failures(404, 501),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "verifyAuthCredential",
          "Sign in",
          "PASSKEY and OAUTH: 200 with the session. EMAIL_OTP and SMS_OTP: 202 first, then 200, signed by the key that was sealed with the code.",
        ),
      ),
    HttpApiEndpoint.get("listAuthSessions", "/auth/sessions", {
      query: ofWallet,
      success: SessionListResponse,
      error: failures(),
    })
      .annotate(Access, { ...view, isForConsole: true })
      .annotateMerge(
        documented("listAuthSessions", "List sessions", "The active sessions of a wallet, without pages."),
      ),
    HttpApiEndpoint.delete("revokeAuthSession", "/auth/sessions/:id", {
      params: sessionId,
      headers: signedRetry,
      success: [HttpApiSchema.NoContent, challenged],
      error: failures(404),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "revokeAuthSession",
          "Revoke a session",
          "Any session of the wallet, including the revoked one, signs the request: 202 first, then 204.",
        ),
      ),
    HttpApiEndpoint.post("refreshAuthSession", "/auth/sessions/:id/refresh", {
      params: sessionId,
      headers: signedRetry,
      payload: SessionRefreshRequest,
      success: [created(AuthSession), challengedSession],
      error: failures(404),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "refreshAuthSession",
          "Refresh a session",
          "Gives the session a new key and a new expiry; the old key is refused afterwards. The session itself signs the request: 202 first, then 201. A session of a code takes `clientPublicKey` itself as its key.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Embedded wallets", description: "Credentials and sessions of embedded wallets." }),
  )
