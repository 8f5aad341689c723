/**
 * The operations that move money or show how it moved: quotes, transfers, transactions, cards and stablecoins.
 * Source: Spec 4.4, 4.5; wire contract 3, 5.1, 5.5 and 9; wire contract areas 1.1 and 1.6; D-111, D-178, D-262, D-355, D-467.
 */
import { rows } from "./Row.ts"

/** "Quotes, transfers, transaction actions: TRANSACT"; a withdrawal's estimate writes nothing and is a read. */
const payments = rows(
  "WC 5.1, 9",
  `
  GET    /exchange-rates                                     VIEW      everyone
  GET    /discoveries                                        VIEW      everyone
  GET    /vasps                                              VIEW      everyone                                # areas 1.7
  GET    /uma-providers                                      VIEW      everyone
  GET    /receiver/uma/{receiverUmaAddress}                  VIEW      names
  GET    /receiver/external-account/{accountId}              VIEW      own
  POST   /crypto/estimate-withdrawal-fee                     VIEW      names
  POST   /transfer-in                                        TRANSACT  names
  POST   /transfer-out                                       TRANSACT  names
  POST   /quotes                                             TRANSACT  names
  GET    /quotes/{quoteId}                                   VIEW      own    console                          # D-467
  POST   /quotes/{quoteId}/execute                           TRANSACT  own    signed?  SIGNED_ACTION?          # WC 5.5, 4.7, 11 (60)
  POST   /quotes/{quoteId}/authorize                         TRANSACT  own    region
  POST   /quotes/{quoteId}/authorize/resend                  TRANSACT  own    region
  GET    /transactions                                       VIEW      lists
  GET    /transactions/{transactionId}                       VIEW      own    console                          # D-467
  POST   /transactions/{transactionId}/confirm               TRANSACT  own
  POST   /transactions/{transactionId}/approve               TRANSACT  own             PAYMENT_APPROVE         # WC 11 (60)
  POST   /transactions/{transactionId}/reject                TRANSACT  own             PAYMENT_REJECT          # D-111
  POST   /transactions/{transactionId}/cancel                TRANSACT  own
  POST   /transactions/{transactionId}/refund/retry          MANAGE    own             REFUND_RETRY            # D-355
  GET    /unapplied-money                                    VIEW      lists                                   # D-355
  POST   /unapplied-money/{transactionId}/apply              MANAGE    own             UNAPPLIED_APPLY         # D-355
`,
)

/** "Cards: MANAGE". The replacement of funding sources is signed, other updates are not. */
const cards = rows(
  "WC 3.1, 9",
  `
  GET    /cards                                              VIEW      lists
  POST   /cards                                              MANAGE    names
  GET    /cards/{id}                                         VIEW      own    console                          # D-467
  PATCH  /cards/{id}                                         MANAGE    own    signed?  SIGNED_ACTION?          # WC 3.3, 11 (60)
  POST   /cards/{id}/reveal                                  MANAGE    own             CARD_REVEAL             # Spec 4.4; D-178
`,
)

/** "Provider links, registration: MANAGE. Mints and burns: TRANSACT." Audit: "link, register, mint, burn, each status change". */
const stablecoins = rows(
  "areas 1.1, 1.6.1, 1.6.8",
  `
  POST   /stablecoin-provider-accounts                       MANAGE    lists           STABLECOIN_PROVIDER_LINK
  GET    /stablecoin-provider-accounts                       VIEW      lists
  GET    /stablecoin-provider-accounts/{stablecoinProviderAccountId}  VIEW  own  console                       # D-467
  POST   /stablecoins                                        MANAGE    names           STABLECOIN_REGISTER
  GET    /stablecoins                                        VIEW      lists
  GET    /stablecoins/{stablecoinId}                         VIEW      own    console                          # D-467
  POST   /stablecoins/{stablecoinId}/mints                   TRANSACT  own             STABLECOIN_MINT STABLECOIN_OPERATION_STATUS
  POST   /stablecoins/{stablecoinId}/burns                   TRANSACT  own             STABLECOIN_BURN STABLECOIN_OPERATION_STATUS
  GET    /stablecoins/{stablecoinId}/operations              VIEW      own
  GET    /stablecoin-operations/{stablecoinOperationId}      VIEW      own    console                          # D-467
`,
)

export const moneyRows = [...payments, ...cards, ...stablecoins]
