/**
 * The types of handlers: an answer compiles only where the contract declares its status and its body for the endpoint.
 * The compiler checks each case: a wrong literal fails `tsc -b`. Source: architecture, "Where a new thing goes" (endpoint).
 */
import type { AgentsApi, AgentsMeApi, Api, CustomersApi, QuotesApi, WalletApi } from "@countersign/client/api"
import type {
  AuthMethodResponse,
  AuthSession,
  AuthSignedRequestChallenge,
  CustomerResource,
  QuoteResource,
  SignedRequestChallenge,
} from "@countersign/core/models"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { describe, expect, it } from "vitest"
import {
  type Answer,
  type AnswerOf,
  accepted,
  noContent,
  ok,
} from "../../../packages/adapter-http/src/handlers/EndpointHandlers.ts"
import { type AnyAnswer, respond } from "../../../packages/adapter-http/src/middleware/Answers.ts"
import type * as Operation from "../../../packages/core/src/operation/Operation.ts"

type Written<Body> = Operation.Answered<Body>

interface Group<Name extends string> {
  readonly endpoints: { readonly [name in Name]: HttpApiEndpoint.Constraint }
}

/** Whether a handler of the endpoint may return `Returned`. */
type Compiles<Name extends string, G extends Group<Name>, Returned> = [Returned] extends [
  AnswerOf<G["endpoints"][Name]>,
]
  ? true
  : false

type GroupsOf<Contract> = Contract extends { readonly groups: infer ByName } ? ByName[keyof ByName] : never
type EndpointsOf<G> = G extends { readonly endpoints: infer ByName } ? ByName[keyof ByName] : never
type SchemasOf<Endpoint> = Endpoint extends { readonly "~Success": { readonly schema: infer S } } ? S : never
type SuccessSchema = SchemasOf<EndpointsOf<GroupsOf<Api>>>

/** Schemas whose wire form differs from the type that services return: handlers send bodies without an encoding. */
type NeedsEncoding<S> = S extends { readonly Type: infer Type; readonly Encoded: infer Encoded }
  ? [Type, Encoded] extends [Encoded, Type]
    ? never
    : S
  : S
type IsNever<T> = [T] extends [never] ? true : false

type Renamed = Omit<CustomerResource, "id"> & { readonly customerId: string }
type ElsewhereTyped = Omit<CustomerResource, "createdAt"> & { readonly createdAt: number }

const cases = {
  "a read's resource": true satisfies Compiles<"getCustomerById", typeof CustomersApi, Answer<200, CustomerResource>>,
  "a resource without its id": false satisfies Compiles<"getCustomerById", typeof CustomersApi, Answer<200, Renamed>>,
  "a time as a number": false satisfies Compiles<"getCustomerById", typeof CustomersApi, Answer<200, ElsewhereTyped>>,
  "another resource": false satisfies Compiles<"getCustomerById", typeof CustomersApi, Answer<200, QuoteResource>>,
  "a body of unknown type": false satisfies Compiles<"getCustomerById", typeof CustomersApi, Answer<200, unknown>>,
  "a status that is not declared": false satisfies Compiles<
    "getCustomerById",
    typeof CustomersApi,
    Answer<201, CustomerResource>
  >,
  "200 for a creation": false satisfies Compiles<"createCustomer", typeof CustomersApi, Answer<200, CustomerResource>>,
  "a service's answer": true satisfies Compiles<"createCustomer", typeof CustomersApi, Written<CustomerResource>>,
  "a service's answer for another endpoint": false satisfies Compiles<
    "createCustomer",
    typeof CustomersApi,
    Written<QuoteResource>
  >,
  "the 201 of a quote": true satisfies Compiles<"createQuote", typeof QuotesApi, Answer<201, QuoteResource>>,
  "the 202 of a quote": true satisfies Compiles<"agentCreateQuote", typeof AgentsMeApi, Answer<202, QuoteResource>>,
  "the session of a sign-in": true satisfies Compiles<
    "verifyAuthCredential",
    typeof WalletApi,
    Answer<200, AuthSession>
  >,
  "the challenge of a sign-in": true satisfies Compiles<
    "verifyAuthCredential",
    typeof WalletApi,
    Answer<202, AuthSignedRequestChallenge>
  >,
  "a challenge under the status of the session": false satisfies Compiles<
    "verifyAuthCredential",
    typeof WalletApi,
    Answer<200, AuthSignedRequestChallenge>
  >,
  "a challenge without the credential's type": false satisfies Compiles<
    "createAuthCredential",
    typeof WalletApi,
    Written<AuthMethodResponse | SignedRequestChallenge>
  >,
  "an empty answer": true satisfies Compiles<"deleteAgent", typeof AgentsApi, Answer<204, null>>,
  "an empty answer with a body": false satisfies Compiles<
    "deleteAgent",
    typeof AgentsApi,
    Answer<204, CustomerResource>
  >,
  "an empty answer where a body is declared": false satisfies Compiles<
    "getAgentById",
    typeof AgentsApi,
    Answer<204, null>
  >,
}

describe("the type of a handler", () => {
  it("admits exactly the statuses and bodies of its endpoint", () => {
    expect(Object.keys(cases)).toHaveLength(18)
  })

  it("covers every success schema, and none of them needs an encoding", () => {
    const hasSchemas = false satisfies IsNever<SuccessSchema>
    const needsNone = true satisfies IsNever<NeedsEncoding<SuccessSchema>>
    expect([hasSchemas, needsNone]).toEqual([false, true])
  })
})

describe("the response of an answer", () => {
  const sent = async (answer: Effect.Effect<AnyAnswer>) => {
    const response = HttpServerResponse.toWeb(await Effect.runPromise(respond(answer)))
    return [response.status, await response.text(), response.headers.get("idempotency-replayed")]
  }

  it("has the status that the handler chose and the body as the service returned it", async () => {
    const body = { id: "Customer:1", amount: 5 }
    expect(await sent(ok(Effect.succeed(body)))).toEqual([200, '{"id":"Customer:1","amount":5}', null])
    expect(await sent(accepted(Effect.succeed(body)))).toEqual([202, '{"id":"Customer:1","amount":5}', null])
    expect(await sent(noContent(Effect.succeed(body)))).toEqual([204, "", null])
  })

  it("marks an answer that the service replayed", async () => {
    expect(await sent(Effect.succeed({ status: 201, body: {}, replayed: true }))).toEqual([201, "{}", "true"])
    expect(await sent(Effect.succeed({ status: 201, body: {}, replayed: false }))).toEqual([201, "{}", null])
  })
})
