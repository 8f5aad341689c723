/** Statements of the endpoints of agents: the agent's transfer-in (4.1), and what the platform decides and changes (4.2). */
import type { Section } from "../Statement.ts"

export const agentEndpoints: Section = {
  title: "Endpoints: agents",
  statements: [
    { id: "EP-AGENT-01", says: "`POST /agents/me/transfer-in` creates a transfer-in for the agent that asks." },
    { id: "EP-AGENT-02", says: "The transfer-in goes by the operation id `agentCreateTransferIn`." },
    { id: "EP-AGENT-03", says: "The transfer-in takes an agent's credential, and no other." },
    { id: "EP-AGENT-04", says: "The agent's policy has to grant `CREATE_TRANSFERS`." },
    { id: "EP-AGENT-05", says: "An `Idempotency-Key` may be sent with a transfer-in, and need not." },
    { id: "EP-AGENT-06", says: "A key that is sent again brings back the answer to the first request." },
    { id: "EP-AGENT-07", says: "`source` is required, with the `accountId` of an external account as a string." },
    { id: "EP-AGENT-08", says: "`destination` is required, with the `accountId` of an internal account as a string." },
    { id: "EP-AGENT-09", says: "`amount` may be left out." },
    { id: "EP-AGENT-10", says: "`amount` is an integer of the smallest unit." },
    { id: "EP-AGENT-11", says: "A transfer-in that is taken answers 201 with the AgentAction." },
    { id: "EP-AGENT-12", says: "Where approval is required the 201 shows `PENDING_APPROVAL` and no transaction." },
    { id: "EP-AGENT-13", says: "Where it executes by itself the 201 shows `APPROVED` and the transaction." },
    { id: "EP-AGENT-14", says: "Invalid parameters answer 400 with an error body." },
    { id: "EP-AGENT-15", says: "A missing or wrong credential answers 401 with an error body." },
    { id: "EP-AGENT-16", says: "What the policy does not permit answers 403 with an error body." },
    { id: "EP-AGENT-17", says: "A spending limit that is exceeded answers 403 with an error body." },
    { id: "EP-AGENT-18", says: "An account that is not there answers 404 with an error body." },
    { id: "EP-AGENT-19", says: "A fault of the service answers 500 with an error body." },
    { id: "EP-AGENT-20", says: "Both accounts have to be of the agent's customer." },
    { id: "EP-AGENT-21", says: "The source has to be one that can be pulled from; any other is refused." },
    {
      id: "EP-AGENT-22",
      says: "From any other source the customer pays in by the instructions of the internal account.",
      namedOnly:
        "What the customer does outside of this operation; the internal account's record and its instructions are only named.",
    },

    {
      id: "EP-MGMT-01",
      says: "`POST .../actions/{actionId}/approve` takes no body and answers the action as it then is.",
    },
    { id: "EP-MGMT-02", says: "Approve has the action executed." },
    { id: "EP-MGMT-03", says: "`POST .../actions/{actionId}/reject` answers the action with status `REJECTED`." },
    { id: "EP-MGMT-04", says: "Reject takes an optional body with a reason." },
    { id: "EP-MGMT-05", says: "`GET /agents/approvals` answers a list of actions in pages." },
    { id: "EP-MGMT-06", says: "The list of approvals is filtered by `agentId`." },
    { id: "EP-MGMT-07", says: "The list of approvals is filtered by `customerId`." },
    { id: "EP-MGMT-08", says: "`PATCH /agents/{agentId}` takes `isPaused` and answers the agent as it then is." },
    { id: "EP-MGMT-09", says: "`isPaused` with true stops new executions." },
    { id: "EP-MGMT-10", says: "A pause keeps the agent's configuration as it was." },
    { id: "EP-MGMT-11", says: "`DELETE /agents/{agentId}` ends the agent's access for good." },
    { id: "EP-MGMT-12", says: "The operations that manage agents take the platform's credentials, and no agent's." },
    {
      id: "EP-MGMT-13",
      says: "The ids that approve and reject need are those in the `AGENT_ACTION.PENDING_APPROVAL` event.",
    },
    {
      id: "EP-MGMT-14",
      says: "An integrator may repeat a decision: the action is decided once, and the repetition changes nothing.",
    },
    {
      id: "EP-MGMT-15",
      says: "There are further endpoints for an agent's life: its creation, its policy, its installation by device code.",
      namedOnly: "The specification names them and shows none.",
    },
  ],
}
