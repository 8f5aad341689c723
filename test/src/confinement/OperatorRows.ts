/**
 * The operations about the platform itself and for its operator: configuration, tokens, webhooks, audit, jobs, books and records.
 * Source: wire contract 5.8, 6, 9 and 11 (60); D-111, D-330, D-333, D-354, D-450, D-452 to D-455, D-467, D-469.
 */
import { rows } from "./Row.ts"

/** "Config, tokens: MANAGE". Both are audited. */
const platform = rows(
  "WC 5.8, 9",
  `
  GET    /config                                             VIEW      lists
  PATCH  /config                                             MANAGE    lists           CONFIG_UPDATE           # D-111
  GET    /tokens                                             VIEW      lists
  POST   /tokens                                             MANAGE    lists           TOKEN_CREATE            # WC 11 (60)
  GET    /tokens/{tokenId}                                   VIEW      own
  DELETE /tokens/{tokenId}                                   MANAGE    own             TOKEN_DELETE            # WC 11 (60)
  POST   /tokens/{tokenId}/secrets                           MANAGE    own             TOKEN_SECRET_ADD        # WC 11 (60)
  DELETE /tokens/{tokenId}/secrets/{secretId}                MANAGE    own             TOKEN_SECRET_RETIRE     # WC 11 (60)
`,
)

/** Webhooks are part of the configuration. */
const webhooks = rows(
  "WC 6, 9",
  `
  GET    /webhooks/endpoint                                  VIEW      lists                                   # D-333
  POST   /webhooks/endpoint/disable                          MANAGE    lists           WEBHOOK_ENDPOINT_DISABLE  # D-111
  POST   /webhooks/endpoint/enable                           MANAGE    lists           WEBHOOK_ENDPOINT_ENABLE   # D-111
  GET    /webhooks/keys                                      VIEW      lists                                   # D-330
  POST   /webhooks/keys/rotate                               MANAGE    lists           WEBHOOK_KEY_ROTATE      # D-330
  POST   /webhooks/keys/{keyId}/reveal                       MANAGE    own             WEBHOOK_SECRET_REVEAL   # D-330
`,
)

const operator = rows(
  "WC 9",
  `
  GET    /audit-records                                      MANAGE    lists  console                          # D-111, D-469
  GET    /operator/events                                    VIEW      lists  console                          # D-450
  GET    /operator/events/{eventId}                          VIEW      own    console                          # D-450
  POST   /operator/events/{eventId}/resend                   MANAGE    own    console  EVENT_RESEND            # D-452, D-462
  GET    /operator/changes                                   VIEW      lists  console                          # D-453
  GET    /jobs/parked                                        VIEW      lists                                   # D-354
  POST   /jobs/{jobId}/resume                                MANAGE    own             JOB_RESUME              # D-354
  POST   /jobs/{jobId}/drop                                  MANAGE    own             JOB_DROP                # D-354
  GET    /operator/books/trial-balance                       VIEW      lists  console                          # D-454
  GET    /operator/books/accounts                            VIEW      lists  console                          # D-454
  GET    /operator/books/accounts/{ledgerAccount}/entries    VIEW      own    console                          # D-454
  GET    /operator/books/transfers/{reference}               VIEW      own    console                          # D-454
  GET    /operator/books/reconciliation                      VIEW      lists  console                          # D-535
  GET    /operator/records                                   VIEW      lists  console                          # D-467
  GET    /operator/find                                      VIEW      lists  console                          # D-467
  GET    /operator/records/{recordId}                        VIEW      own    console                          # D-467
  GET    /operator/jobs                                      VIEW      lists  console                          # D-455
`,
)

export const operatorRows = [...platform, ...webhooks, ...operator]
