/**
 * The policies of agents, for the platform's operator: additions of this service.
 * Source: D-475.
 */
import { AgentPolicyCompareRequest, AgentPolicyComparison } from "@countersign/core/models"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { PlatformCredentials, RequestReading } from "./Credentials.ts"
import { extension } from "./Documented.ts"
import { failures } from "./Failures.ts"
import { pathId } from "./Parameters.ts"

/** A class, so that the type of the whole interface refers to it by name. */
export class OperatorPoliciesApi extends HttpApiGroup.make("operatorPolicies")
  .add(
    HttpApiEndpoint.post("compareAgentPolicy", "/operator/agents/:agentId/policy-evaluations", {
      params: { agentId: pathId("agent") },
      payload: AgentPolicyCompareRequest,
      success: AgentPolicyComparison,
      error: failures(404),
    })
      .annotate(Access, { tokenPermission: "VIEW", isForConsole: true })
      .annotateMerge(
        extension(
          "compareAgentPolicy",
          "Compare an agent's policy with an update",
          "What the present policy and an update decide on possible actions and on the agent's latest ones, with every rule and its numbers. Nothing is written; a bad update fails as its `PATCH` would.",
        ),
      ),
  )
  .middleware(RequestReading)
  .middleware(PlatformCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Policies", description: "The policies of agents." })) {}
