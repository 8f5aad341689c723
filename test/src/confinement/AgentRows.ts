/**
 * The operations of agents and of their management.
 * Source: Spec 4.1, 4.2; wire contract 1.1, 1.3 to 1.6, 9 and 11 (60); D-111, D-212, D-344, D-352, D-475, D-477.
 */
import { rows } from "./Row.ts"

/** An agent reads its own profile and actions without a permission; it sees the quotes and actions of no other agent. */
const operations = rows(
  "WC 1.1, 1.3",
  `
  GET    /agents/me                                          TOKEN                     lists
  GET    /agents/me/actions                                  TOKEN                     lists
  GET    /agents/me/actions/{actionId}                       TOKEN                     agent
  GET    /agents/me/transactions                             VIEW_TRANSACTIONS         lists
  GET    /agents/me/transactions/{transactionId}             VIEW_TRANSACTIONS         customer
  GET    /agents/me/internal-accounts                        VIEW_TRANSACTIONS         lists
  GET    /agents/me/external-accounts                        MANAGE_EXTERNAL_ACCOUNTS  lists
  POST   /agents/me/external-accounts                        MANAGE_EXTERNAL_ACCOUNTS  names
  GET    /agents/me/external-accounts/{externalAccountId}    MANAGE_EXTERNAL_ACCOUNTS  customer
  DELETE /agents/me/external-accounts/{externalAccountId}    MANAGE_EXTERNAL_ACCOUNTS  customer
  POST   /agents/me/quotes                                   CREATE_QUOTES             names           AGENT_ACTION_SUBMIT?  # WC 1.6; D-111
  GET    /agents/me/quotes/{quoteId}                         TOKEN                     agent                                 # WC 1.3 names no permission
  POST   /agents/me/quotes/{quoteId}/execute                 EXECUTE_QUOTES            agent  signed?  AGENT_ACTION_SUBMIT? SIGNED_ACTION?  # WC 1.4, 5.5, 11 (60); D-111
  POST   /agents/me/transfer-in                              CREATE_TRANSFERS          names           AGENT_ACTION_SUBMIT?  # Spec 4.1; D-111
  POST   /agents/me/transfer-out                             CREATE_TRANSFERS          names           AGENT_ACTION_SUBMIT?  # D-111
  POST   /agents/device-codes/{code}/redeem                  NOBODY                    everyone        DEVICE_CODE_REDEEM    # WC 1.5; D-111
`,
)

const management = rows(
  "WC 1.1, 9",
  `
  GET    /agents                                             VIEW      lists  console                          # D-352, D-477
  POST   /agents                                             MANAGE    names           AGENT_CREATE            # D-111
  GET    /agents/approvals                                   VIEW      lists  console                          # D-352
  GET    /agents/{agentId}                                   VIEW      own    console                          # D-352
  PATCH  /agents/{agentId}                                   MANAGE    own             AGENT_UPDATE            # D-111
  DELETE /agents/{agentId}                                   MANAGE    own             AGENT_DELETE            # D-111
  PATCH  /agents/{agentId}/policy                            MANAGE    own    console  AGENT_POLICY_UPDATE     # D-111, D-477
  POST   /agents/{agentId}/policy/evaluate                   VIEW      own                                     # D-212
  POST   /agents/{agentId}/device-codes                      MANAGE    own             DEVICE_CODE_ISSUE       # D-111
  POST   /agents/{agentId}/token                             MANAGE    own             AGENT_TOKEN_ROTATE      # D-344; WC 11 (60)
  GET    /agents/device-codes/{code}/status                  VIEW      own
  GET    /agents/{agentId}/actions/{actionId}/evaluation     VIEW      own    console                          # D-212, D-352
  POST   /agents/{agentId}/actions/{actionId}/approve        TRANSACT  own    console  AGENT_ACTION_APPROVE    # WC 11 (60); D-352
  POST   /agents/{agentId}/actions/{actionId}/reject         TRANSACT  own    console  AGENT_ACTION_REJECT     # D-111, D-352
  POST   /operator/agents/{agentId}/policy-evaluations       VIEW      own    console                          # D-475
`,
)

export const agentRows = [...operations, ...management]
