/** How a customer is checked: each handler passes on to its service. Wire contract 5.8. */

import { Api } from "@countersign/client/api"
import { BeneficialOwners, ContactVerifications, Verifications } from "@countersign/core"
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respond, respondEmpty, respondOk } from "../middleware/Answers.ts"
import { keyed } from "../middleware/Idempotency.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "onboarding",
  Effect.fnUntraced(function* (handlers) {
    const verifications = yield* Verifications
    const owners = yield* BeneficialOwners
    const contacts = yield* ContactVerifications
    return handlers.handleAll({
      listVerifications: ({ query }) => respondOk(verifications.list(query)),
      createVerification: ({ payload }) => respond(verifications.submit(payload.customerId)),
      getVerification: ({ params }) => respondOk(verifications.get(params.verificationId)),
      listOwners: ({ query }) => respondOk(owners.list(query)),
      createOwner: ({ payload }) => respond(owners.create(payload)),
      getOwner: ({ params }) => respondOk(owners.get(params.beneficialOwnerId)),
      updateOwner: ({ params, payload }) => respond(owners.update(params.beneficialOwnerId, payload)),
      createKycLink: (request) =>
        respond(verifications.kycLink(request.params.customerId, request.payload.redirectUri, keyed(request))),
      verifyEmail: ({ params }) => respondEmpty(contacts.send(params.customerId, "email")),
      confirmEmail: ({ params, payload }) =>
        respond(contacts.confirm(params.customerId, "email", Redacted.make(payload.code))),
      verifyPhone: ({ params }) => respondEmpty(contacts.send(params.customerId, "phone")),
      confirmPhone: ({ params, payload }) =>
        respond(contacts.confirm(params.customerId, "phone", Redacted.make(payload.code))),
    })
  }),
)
