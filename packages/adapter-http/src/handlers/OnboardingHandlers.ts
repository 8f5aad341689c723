/** How a customer is checked: each handler calls its service. Wire contract 5.8. */

import { Api } from "@countersign/client/api"
import { BeneficialOwners, ContactVerifications, Verifications } from "@countersign/core"
import { Effect, Redacted } from "effect"
import { keyed } from "../middleware/Idempotency.ts"
import { answering, noContent, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"

export const layer = group(
  Api,
  "onboarding",
  Effect.fnUntraced(function* (handlers) {
    const verifications = yield* Verifications
    const owners = yield* BeneficialOwners
    const contacts = yield* ContactVerifications
    return handlers.handleAll(
      yield* answering(handlers, {
        listVerifications: ({ query }) => ok(verifications.list(query)),
        createVerification: ({ payload }) => verifications.submit(payload.customerId),
        getVerification: ({ params }) => ok(verifications.get(params.verificationId)),
        listOwners: ({ query }) => ok(owners.list(query)),
        createOwner: ({ payload }) => owners.create(payload),
        getOwner: ({ params }) => ok(owners.get(params.beneficialOwnerId)),
        updateOwner: ({ params, payload }) => owners.update(params.beneficialOwnerId, payload),
        createKycLink: (request) =>
          verifications.kycLink(request.params.customerId, request.payload.redirectUri, keyed(request)),
        verifyEmail: ({ params }) => noContent(contacts.send(params.customerId, "email")),
        confirmEmail: ({ params, payload }) =>
          contacts.confirm(params.customerId, "email", Redacted.make(payload.code)),
        verifyPhone: ({ params }) => noContent(contacts.send(params.customerId, "phone")),
        confirmPhone: ({ params, payload }) =>
          contacts.confirm(params.customerId, "phone", Redacted.make(payload.code)),
      }),
    )
  }),
)
