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
        listBeneficialOwners: ({ query }) => ok(owners.list(query)),
        createBeneficialOwner: ({ payload }) => owners.create(payload),
        getBeneficialOwner: ({ params }) => ok(owners.get(params.beneficialOwnerId)),
        updateBeneficialOwner: ({ params, payload }) => owners.update(params.beneficialOwnerId, payload),
        createCustomerKycLink: (request) =>
          verifications.kycLink(request.params.customerId, request.payload.redirectUri, keyed(request)),
        sendCustomerEmailVerification: ({ params }) => noContent(contacts.send(params.customerId, "email")),
        confirmCustomerEmailVerification: ({ params, payload }) =>
          contacts.confirm(params.customerId, "email", Redacted.make(payload.code)),
        sendCustomerPhoneVerification: ({ params }) => noContent(contacts.send(params.customerId, "phone")),
        confirmCustomerPhoneVerification: ({ params, payload }) =>
          contacts.confirm(params.customerId, "phone", Redacted.make(payload.code)),
      }),
    )
  }),
)
