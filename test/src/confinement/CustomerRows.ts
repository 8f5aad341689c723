/**
 * The operations about customers, their accounts, documents, wallets and strong authentication.
 * Source: wire contract 2.1, 4.1, 4.7, 5.8, 5.12, 9 and 11 (60); wire contract areas 1.1 to 1.5; D-352, D-356, D-381, D-467.
 */
import { rows } from "./Row.ts"

/** "Customers: MANAGE". A change of an address that a credential is tied to is signed. */
const customers = rows(
  "WC 5.8, 9",
  `
  GET    /customers                                          VIEW      lists
  POST   /customers                                          MANAGE    lists
  GET    /customers/{customerId}                             VIEW      own    console                          # D-352
  PATCH  /customers/{customerId}                             MANAGE    own    signed?  SIGNED_ACTION?          # Spec 4.5; WC 11 (60)
  DELETE /customers/{customerId}                             MANAGE    own
  POST   /customers/{customerId}/end-access                  MANAGE    own             CUSTOMER_ACCESS_END     # D-356; WC 11 (60)
  GET    /customers/end-user-terms                           VIEW      everyone
  POST   /customers/{customerId}/kyc-link                    MANAGE    own
  POST   /customers/{customerId}/verify-email                MANAGE    own
  POST   /customers/{customerId}/verify-email/confirm        MANAGE    own
  POST   /customers/{customerId}/verify-phone                MANAGE    own
  POST   /customers/{customerId}/verify-phone/confirm        MANAGE    own
  GET    /beneficial-owners                                  VIEW      names
  POST   /beneficial-owners                                  MANAGE    names
  GET    /beneficial-owners/{beneficialOwnerId}              VIEW      own    console                          # D-467
  PATCH  /beneficial-owners/{beneficialOwnerId}              MANAGE    own
  GET    /verifications                                      VIEW      lists
  POST   /verifications                                      MANAGE    names
  GET    /verifications/{verificationId}                     VIEW      own    console                          # D-467
  GET    /documents                                          VIEW      lists
  POST   /documents                                          MANAGE    names           DOCUMENT_UPLOAD         # areas 1.1
  GET    /documents/{documentId}                             VIEW      own    console                          # D-467
  PUT    /documents/{documentId}                             MANAGE    own             DOCUMENT_REPLACE        # areas 1.1
  DELETE /documents/{documentId}                             MANAGE    own             DOCUMENT_DELETE         # areas 1.1
  POST   /customers/bulk/csv                                 MANAGE    lists           BULK_IMPORT_UPLOAD      # areas 1.5.5
  GET    /customers/bulk/jobs/{jobId}                        VIEW      own
  POST   /invitations                                        MANAGE    names           INVITATION_CREATE       # areas 1.4.6
  GET    /invitations/{invitationCode}                       VIEW      everyone                                # areas 1.4.6
  POST   /invitations/{invitationCode}/claim                 MANAGE    everyone        INVITATION_CLAIM        # areas 1.4.6
  POST   /invitations/{invitationCode}/cancel                MANAGE    creator         INVITATION_CANCEL       # areas 1.4.5, 1.4.6
`,
)

/** "Accounts: MANAGE". Trust needs strong authentication, and only its confirmation is audited. */
const accounts = rows(
  "WC 2.1, 5.8, 9",
  `
  GET    /customers/internal-accounts                        VIEW      lists  console                          # D-477
  GET    /internal-accounts                                  VIEW      lists                                   # WC 5.9
  GET    /internal-accounts/{id}                             VIEW      own    console                          # WC 5.9; D-352
  PATCH  /internal-accounts/{id}                             MANAGE    own    signed   SIGNED_ACTION           # WC 4.1, 4.10, 11 (60)
  POST   /internal-accounts/{id}/export                      MANAGE    own    signed   SIGNED_ACTION           # WC 4.1, 4.10, 11 (60)
  GET    /platform/internal-accounts                         VIEW      lists
  GET    /customers/external-accounts                        VIEW      lists  console                          # D-477
  POST   /customers/external-accounts                        MANAGE    names
  GET    /customers/external-accounts/{externalAccountId}    VIEW      own    console                          # D-352
  DELETE /customers/external-accounts/{externalAccountId}    MANAGE    own
  POST   /customers/external-accounts/{externalAccountId}/challenge        MANAGE  own
  POST   /customers/external-accounts/{externalAccountId}/verify           MANAGE  own
  POST   /customers/external-accounts/{externalAccountId}/trust            MANAGE  own  login                      # areas 1.3
  POST   /customers/external-accounts/{externalAccountId}/trust/confirm    MANAGE  own  login  BENEFICIARY_TRUST   # areas 1.3.5
  POST   /customers/external-accounts/{externalAccountId}/untrust          MANAGE  own  login                      # areas 1.3
  POST   /customers/external-accounts/{externalAccountId}/untrust/confirm  MANAGE  own  login  BENEFICIARY_UNTRUST # areas 1.3.5
  GET    /platform/external-accounts                         VIEW      lists
  POST   /platform/external-accounts                         MANAGE    lists
  GET    /platform/external-accounts/{externalAccountId}     VIEW      own    console                          # D-467
  DELETE /platform/external-accounts/{externalAccountId}     MANAGE    own
  POST   /platform/external-accounts/{externalAccountId}/challenge         MANAGE  own
  POST   /platform/external-accounts/{externalAccountId}/verify            MANAGE  own
`,
)

/** "Credentials and sessions: MANAGE". Codes are verified by two calls, other credentials by one. */
const wallets = rows(
  "WC 4.1, 4.7, 9",
  `
  GET    /auth/credentials                                   VIEW      names  console                          # D-467: read as an entry of its list
  POST   /auth/credentials                                   MANAGE    names  signed?  SIGNED_ACTION?          # WC 4.2: the first is not signed
  DELETE /auth/credentials/{id}                              MANAGE    own    signed   SIGNED_ACTION           # WC 11 (60)
  POST   /auth/credentials/{id}/challenge                    MANAGE    own
  POST   /auth/credentials/{id}/verify                       MANAGE    own    signed?  SIGNED_ACTION?          # WC 11 (60)
  GET    /auth/sessions                                      VIEW      names  console                          # D-467: read as an entry of its list
  DELETE /auth/sessions/{id}                                 MANAGE    own    signed   SIGNED_ACTION           # WC 11 (60)
  POST   /auth/sessions/{id}/refresh                         MANAGE    own    signed   SIGNED_ACTION           # WC 11 (60)
  GET    /auth/delegated-keys                                VIEW      names
  POST   /auth/delegated-keys                                MANAGE    names  signed   SIGNED_ACTION           # WC 11 (60)
  GET    /auth/delegated-keys/{id}                           VIEW      own    console                          # D-467
  DELETE /auth/delegated-keys/{id}                           MANAGE    own                                     # WC 4.11: no signature
`,
)

/** Strong authentication belongs to customers, whose operations need MANAGE. */
const authentication = rows(
  "WC 5.12, 9",
  `
  GET    /sca/factors                                        VIEW      names  region
  POST   /sca/factors                                        MANAGE    names  region
  POST   /sca/factors/confirm                                MANAGE    names  region
  DELETE /sca/factors/{credentialId}                         MANAGE    names  region
  POST   /sca/login/start                                    MANAGE    names  region
  POST   /sca/login/complete                                 MANAGE    names  region
  POST   /sca/record-event                                   MANAGE    names  region
  POST   /sca/factors/reset                                  MANAGE    names  region
  GET    /sca/factors/reset/{resetId}                        VIEW      names  region
  POST   /sca/factors/reset/{resetId}/complete               MANAGE    names  region
`,
)

export const customerRows = [...customers, ...accounts, ...wallets, ...authentication]
