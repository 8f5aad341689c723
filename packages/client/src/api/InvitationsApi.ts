/**
 * Invitations to get a UMA address.
 * Source: wire contract areas 1.4.
 */
import {
  atMost,
  secret,
  UmaInvitation,
  UmaInvitationClaimRequest,
  UmaInvitationCreateRequest,
} from "@countersign/core/models"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { documented } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { idempotencyKey } from "./Parameters.ts"
import { created } from "./Statuses.ts"

const params = {
  invitationCode: Schema.String.check(atMost("pathId")).annotate({
    ...secret,
    description: "The code of the invitation.",
  }),
}
const manage = { tokenPermission: "MANAGE", isIdempotent: true } as const

export const InvitationsApi = HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.post("createInvitation", "/invitations", {
      headers: idempotencyKey,
      payload: UmaInvitationCreateRequest,
      success: created(UmaInvitation),
      error: failures(409),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "createInvitation",
          "Create an invitation",
          "A customer invites a person to get a UMA address, and may announce a payment. The service moves no money for it: pay after the event `INVITATION.CLAIMED`.",
        ),
      ),
    HttpApiEndpoint.get("getInvitation", "/invitations/:invitationCode", {
      params,
      success: UmaInvitation,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW" })
      .annotateMerge(
        documented(
          "getInvitation",
          "Get an invitation",
          "Any platform that knows the code reads the invitation; only the inviter's platform sees who claimed it. Unknown codes are limited to 20 a minute.",
        ),
      ),
    HttpApiEndpoint.post("claimInvitation", "/invitations/:invitationCode/claim", {
      params,
      headers: idempotencyKey,
      payload: UmaInvitationClaimRequest,
      success: UmaInvitation,
      error: failures(404, 409),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "claimInvitation",
          "Claim an invitation",
          "Any platform that knows the code claims the invitation for the address of the person who was invited. Of several claims, one succeeds.",
        ),
      ),
    HttpApiEndpoint.post("cancelInvitation", "/invitations/:invitationCode/cancel", {
      params,
      headers: idempotencyKey,
      success: UmaInvitation,
      error: failures(404),
    })
      .annotate(Access, manage)
      .annotateMerge(
        documented(
          "cancelInvitation",
          "Cancel an invitation",
          "Only the inviter's platform cancels it, and only while it is pending.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(
    OpenApi.annotations({ title: "Invitations", description: "A customer invites a person to get a UMA address." }),
  )
