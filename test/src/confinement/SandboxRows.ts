/**
 * The operations that exist in a sandbox only. Those that change something are audited.
 * Source: Spec 4.6; wire contract 7.1, 9 ("sandbox money calls: TRANSACT") and 11 (60); D-050, D-100, D-262, D-452, D-464, D-470 to D-480.
 */
import { rows } from "./Row.ts"

const money = rows(
  "WC 7.1, 9, 11 (60)",
  `
  POST   /sandbox/internal-accounts/{accountId}/fund             TRANSACT  own    SANDBOX_FUND
  POST   /sandbox/send                                           TRANSACT  names  SANDBOX_SEND
  POST   /sandbox/uma/receive                                    TRANSACT  names  SANDBOX_UMA_RECEIVE
  POST   /sandbox/cards/{id}/simulate/authorization              TRANSACT  own    SANDBOX_CARD_MESSAGE
  POST   /sandbox/cards/{id}/simulate/clearing                   TRANSACT  own    SANDBOX_CARD_MESSAGE
  POST   /sandbox/cards/{id}/simulate/return                     TRANSACT  own    SANDBOX_CARD_MESSAGE
  POST   /sandbox/cards/{id}/simulate/balance_inquiry            TRANSACT  own    SANDBOX_CARD_MESSAGE
  POST   /sandbox/cards/{id}/simulate/credit_authorization       TRANSACT  own    SANDBOX_CARD_MESSAGE
  POST   /sandbox/cards/{id}/simulate/financial_authorization    TRANSACT  own    SANDBOX_CARD_MESSAGE
  POST   /sandbox/cards/{id}/simulate/financial_credit_authorization  TRANSACT  own  SANDBOX_CARD_MESSAGE
  POST   /sandbox/cards/{id}/simulate/authorization_advice       TRANSACT  own    SANDBOX_CARD_MESSAGE
  POST   /sandbox/cards/{id}/simulate/credit_authorization_advice     TRANSACT  own  SANDBOX_CARD_MESSAGE
  POST   /sandbox/cards/{id}/simulate/return_reversal            TRANSACT  own    SANDBOX_CARD_MESSAGE
`,
)

/** Not about money: MANAGE. */
const state = rows(
  "WC 9, 11 (60)",
  `
  POST   /sandbox/external-accounts/{externalAccountId}/status   MANAGE  own             SANDBOX_EXTERNAL_ACCOUNT_STATUS  # D-050
  POST   /sandbox/webhooks/test                                  MANAGE  lists           SANDBOX_WEBHOOK_TEST      # WC 6.4
  POST   /webhooks/test                                          MANAGE  lists           SANDBOX_WEBHOOK_TEST      # WC 6.4
  GET    /sandbox/clock                                          VIEW    everyone  console                         # D-100, D-462
  POST   /sandbox/clock/advance                                  MANAGE  server    console  SANDBOX_CLOCK_ADVANCE  # D-100, D-457
  POST   /sandbox/events/{eventId}/send                          MANAGE  own       console  SANDBOX_EVENT_SEND     # D-452, D-462
  GET    /sandbox/inbox                                          VIEW    lists     console                         # D-473
  POST   /sandbox/inbox                                          MANAGE  lists     console  SANDBOX_INBOX_OPEN     # D-473
  GET    /sandbox/inbox/messages                                 VIEW    lists     console                         # D-473
  GET    /sandbox/inbox/messages/{messageId}                     VIEW    own       console                         # D-473
  DELETE /sandbox/inbox/messages                                 MANAGE  lists     console  SANDBOX_INBOX_CLEAR    # D-473
  POST   /sandbox/inbox/answers                                  MANAGE  lists     console  SANDBOX_INBOX_ANSWER   # D-473
  GET    /sandbox/requests                                       VIEW    lists     console                         # D-464
  GET    /sandbox/requests/{requestId}                           VIEW    own       console                         # D-464
  GET    /sandbox/requests/{requestId}/tape                      VIEW    own       console                         # D-479
  POST   /sandbox/requests/{requestId}/send                      MANAGE  own       console  SANDBOX_REQUEST_SEND   # D-478
  GET    /sandbox/scenarios                                      VIEW    everyone  console                         # D-472
  POST   /sandbox/scenarios/{scenario}/run                       ALL     lists     console  SANDBOX_SCENARIO_RUN   # D-472
`,
)

/** The store of all platforms, and the ports of the process. */
const server = rows(
  "D-470, D-480; WC 11 (60)",
  `
  GET    /sandbox/worlds                                         VIEW    server    console
  POST   /sandbox/worlds                                         MANAGE  server    console  SANDBOX_WORLD_SAVE
  POST   /sandbox/worlds/fork                                    MANAGE  server    console  SANDBOX_WORLD_FORK
  POST   /sandbox/worlds/import                                  MANAGE  server    console  SANDBOX_WORLD_IMPORT
  POST   /sandbox/worlds/{name}/load                             MANAGE  server    console  SANDBOX_WORLD_LOAD
  GET    /sandbox/worlds/{name}/file                             MANAGE  server    console                         # D-111: it contains the audit
  DELETE /sandbox/worlds/{name}                                  MANAGE  server    console  SANDBOX_WORLD_DELETE
  POST   /sandbox/world/reset                                    MANAGE  server    console  SANDBOX_WORLD_RESET
  GET    /sandbox/faults                                         VIEW    server    console
  PUT    /sandbox/faults                                         MANAGE  server    console  SANDBOX_FAULTS_SET
  DELETE /sandbox/faults                                         MANAGE  server    console  SANDBOX_FAULTS_SET
`,
)

export const sandboxRows = [...money, ...state, ...server]
