/**
 * External accounts of the platform itself, their lists, and the sandbox's change of their status, on the wire.
 * Spec: 4.3; wire contract 2.1 and 2.2; D-050 for the status.
 */
import { Schema, Struct } from "effect"
import { PageOf } from "../kit/PageResource.ts"
import { ExternalAccountStatus } from "./ExternalAccount.ts"
import { ExternalAccountCreateRequest, ExternalAccountResource } from "./ExternalAccountResource.ts"

/** Without the fields that only a customer's account has; the rules over several fields stay. */
export const PlatformExternalAccountCreateRequest = ExternalAccountCreateRequest.mapFields(
  Struct.omit(["customerId", "defaultUmaDepositAccount"]),
  { unsafePreserveChecks: true },
).annotate({ identifier: "PlatformExternalAccountCreateRequest" })

export const ExternalAccountListResponse = PageOf(ExternalAccountResource, "ExternalAccountListResponse")

export const SandboxExternalAccountStatusRequest = Schema.Struct({
  status: ExternalAccountStatus.annotate({ description: "Where the account's state machine has an arrow to." }),
}).annotate({ identifier: "SandboxExternalAccountStatusRequest" })
