/** Statements of the sandbox: its endpoints and every row of its magic values (4.6). */
import type { Section } from "../Statement.ts"

export const sandboxBehaviour: Section = {
  title: "Endpoints: sandbox and magic values",
  statements: [
    { id: "SBX-CALL-01", says: "The endpoints of the sandbox are called by POST." },
    { id: "SBX-CALL-02", says: "The endpoints of the sandbox take the platform's credentials." },
    {
      id: "SBX-FUND-01",
      says: "`POST /sandbox/internal-accounts/{accountId}/fund` adds the amount to the account at once.",
    },
    { id: "SBX-FUND-02", says: "The amount that the fund endpoint takes is an integer of the smallest unit." },
    { id: "SBX-SEND-01", says: "`POST /sandbox/send` plays the payment of a quote that a payer funds." },
    {
      id: "SBX-SEND-02",
      says: "`POST /sandbox/send` takes the `quoteId` and the `currencyCode`, and both have to fit.",
    },
    { id: "SBX-UMA-01", says: "`POST /sandbox/uma/receive` simulates an incoming UMA payment." },
    {
      id: "SBX-UMA-02",
      says: "`POST /sandbox/uma/receive` takes the addresses of sender and receiver, a currency, and an amount that is an integer.",
    },

    { id: "SBX-ID-01", says: "An account's scenario is in the last three digits of its account number." },
    { id: "SBX-ID-02", says: "An account's scenario is in the last three digits of its IBAN." },
    { id: "SBX-ID-03", says: "An account's scenario is in the last three digits of its CLABE." },
    { id: "SBX-ID-04", says: "A wallet's scenario is in the last three digits of its address." },
    {
      id: "SBX-ID-05",
      says: "An identifier with a domain, such as an e-mail key of PIX, has the digits at the end of its user name.",
    },

    {
      id: "SBX-KYB-001",
      says: "A `registrationNumber` that ends in 001 comes to `kybStatus` `PENDING` when it is verified.",
    },
    { id: "SBX-KYB-002", says: "A `registrationNumber` that ends in 002 comes to `kybStatus` `REJECTED`." },
    { id: "SBX-KYB-OTHER", says: "A `registrationNumber` with any other end comes to `kybStatus` `APPROVED`." },
    { id: "SBX-OWNER-001", says: "An owner whose `lastName` ends in 001 comes to `kycStatus` `PENDING`." },
    { id: "SBX-OWNER-002", says: "An owner whose `lastName` ends in 002 comes to `kycStatus` `REJECTED`." },
    { id: "SBX-OWNER-OTHER", says: "An owner whose `lastName` ends otherwise comes to `kycStatus` `APPROVED`." },

    { id: "SBX-NAME-102", says: "The name check of an account that ends in 102 says `NOT_MATCHED`." },
    { id: "SBX-NAME-103", says: "The name check of an account that ends in 103 says `PARTIAL_MATCH`." },
    { id: "SBX-NAME-104", says: "The name check of an account that ends in 104 says `PENDING`." },
    { id: "SBX-NAME-105", says: "An account that ends in 105 is invalid: 400." },
    { id: "SBX-NAME-106", says: "The name check of an account that ends in 106 says `UNSUPPORTED`." },
    { id: "SBX-NAME-107", says: "The name check of an account that ends in 107 says `CHECKED_BY_RECEIVING_FI`." },
    { id: "SBX-NAME-OTHER", says: "The name check of any other account says `MATCHED`." },

    { id: "SBX-TRANSFER_IN-002", says: "A transfer from 002 fails at once for missing funds." },
    { id: "SBX-TRANSFER_IN-003", says: "A transfer from 003 fails at once, since the account is closed or invalid." },
    { id: "SBX-TRANSFER_IN-004", says: "A transfer from 004 is refused by the bank." },
    { id: "SBX-TRANSFER_IN-005", says: "A transfer from 005 is pending for about 30 seconds and then fails." },
    { id: "SBX-TRANSFER_IN-OTHER", says: "A transfer from any other account succeeds." },
    { id: "SBX-TRANSFER_OUT-002", says: "A transfer to 002 fails at once for missing funds." },
    { id: "SBX-TRANSFER_OUT-003", says: "A transfer to 003 fails at once, since the account is closed or invalid." },
    { id: "SBX-TRANSFER_OUT-004", says: "A transfer to 004 is refused by the bank." },
    { id: "SBX-TRANSFER_OUT-005", says: "A transfer to 005 is pending for about 30 seconds and then fails." },
    { id: "SBX-TRANSFER_OUT-OTHER", says: "A transfer to any other account succeeds." },

    { id: "SBX-QUOTE-002", says: "The execution of a quote to 002 fails." },
    { id: "SBX-QUOTE-003", says: "A quote to 003 completes after about six minutes." },
    { id: "SBX-QUOTE-004", says: "A quote to 004 fails, since the counterparty does not deliver." },
    {
      id: "SBX-QUOTE-005",
      says: "A quote to 005 completes, and fails afterwards: the receiving bank gave the money back.",
    },
    { id: "SBX-QUOTE-006", says: "A quote to 006 is cancelled by the user." },
    { id: "SBX-QUOTE-007", says: "Of a quote to 007 the payout fails, and so does the refund." },
    { id: "SBX-QUOTE-OTHER", says: "A quote to any other account is paid." },

    { id: "SBX-UMA-SUCCESS", says: "A payment to `success.<ccy>` succeeds, in usd, eur and mxn." },
    {
      id: "SBX-UMA-PENDING",
      says: "A payment to `pending.long.<ccy>` is pending for a long time, in usd, eur and mxn.",
    },
    {
      id: "SBX-UMA-FAIL",
      says: "A payment to `fail.compliance.<ccy>` fails its compliance check, in usd, eur and mxn.",
    },
    {
      id: "SBX-UMA-DOMAIN",
      says: "The scenarios' addresses are of the sandbox's own domain; another domain has none.",
    },

    {
      id: "SBX-RUN-01",
      says: "A quote out of an account that the fund endpoint filled is executed by the execute call.",
    },
    { id: "SBX-RUN-02", says: "A quote out of an account that a transfer-in filled is executed by the execute call." },
    { id: "SBX-RUN-03", says: "A quote that a payer funds is executed by `/sandbox/send`." },
  ],
}
