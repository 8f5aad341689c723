/**
 * Lists of external accounts and the sandbox's status change, on the wire.
 * Spec: 4.3; wire contract 2.1 and 2.2; D-050 for the status.
 */
import { Schema } from "effect"
import { PageOf } from "../../foundation/kit/PageResource.ts"
import { ExternalAccountStatus } from "./ExternalAccount.ts"
import { ExternalAccountResource } from "./ExternalAccountResource.ts"

/** A page of external accounts, newest first. */
export const ExternalAccountListResponse = PageOf(ExternalAccountResource, "ExternalAccountListResponse")

/** Body of `POST /sandbox/external-accounts/{externalAccountId}/status`: the state that the account gets. */
export const SandboxExternalAccountStatusRequest = Schema.Struct({
  status: ExternalAccountStatus.annotate({ description: "Where the account's state machine has an arrow to." }),
}).annotate({ identifier: "SandboxExternalAccountStatusRequest" })
