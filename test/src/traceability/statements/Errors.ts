/** Statements of the specification about errors: the body, each code of the table with its condition, and the other rules. */
import type { Section } from "../Statement.ts"

export const errors: Section = {
  title: "Errors",
  statements: [
    { id: "ERR-BODY-01", says: "Every error has a JSON body whose `status` equals the HTTP status." },
    { id: "ERR-BODY-02", says: "`code` is one of those listed for the status." },
    { id: "ERR-BODY-03", says: "`message` says for people what went wrong." },
    { id: "ERR-BODY-04", says: "`details` is an object, and may be left out." },
    { id: "ERR-BODY-05", says: "`status`, `code` and `message` are always there." },
    { id: "ERR-INVALID_INPUT", says: "400: invalid input, and a body whose fields do not fit." },
    {
      id: "ERR-MISSING_MANDATORY_USER_INFO",
      says: "400: something that has to be known of a person or a business is missing.",
    },
    {
      id: "ERR-INVITATION_ALREADY_CLAIMED",
      says: "400: an invitation is taken.",
    },
    {
      id: "ERR-INVITATIONS_NOT_CONFIGURED",
      says: "400: invitations are not set up.",
    },
    { id: "ERR-INVALID_UMA_ADDRESS", says: "400: the UMA address is malformed." },
    {
      id: "ERR-INVITATION_CANCELLED",
      says: "400: an invitation was called off.",
    },
    { id: "ERR-QUOTE_REQUEST_FAILED", says: "400: a quote could not be made now, and asking again may succeed." },
    {
      id: "ERR-INVALID_PAYREQ_RESPONSE",
      says: "400: the other side's answer to a payment request is wrong.",
      namedOnly:
        "It belongs to the messages between UMA providers, which the network behind the `UmaNetwork` port speaks and this service does not read.",
    },
    {
      id: "ERR-INVALID_RECEIVER",
      says: "400: the other side does not know its receiver.",
      namedOnly:
        "It belongs to the messages between UMA providers, which the network behind the `UmaNetwork` port speaks and this service does not read.",
    },
    {
      id: "ERR-PARSE_PAYREQ_RESPONSE_ERROR",
      says: "400: the other side's answer to a payment request cannot be read.",
      namedOnly:
        "It belongs to the messages between UMA providers, which the network behind the `UmaNetwork` port speaks and this service does not read.",
    },
    {
      id: "ERR-CERT_CHAIN_INVALID",
      says: "400: the other side's certificates do not hold.",
      namedOnly:
        "It belongs to the messages between UMA providers, which the network behind the `UmaNetwork` port speaks and this service does not read.",
    },
    {
      id: "ERR-CERT_CHAIN_EXPIRED",
      says: "400: the other side's certificates are over.",
      namedOnly:
        "It belongs to the messages between UMA providers, which the network behind the `UmaNetwork` port speaks and this service does not read.",
    },
    {
      id: "ERR-INVALID_PUBKEY_FORMAT",
      says: "400: the other side's key is none.",
      namedOnly:
        "It belongs to the messages between UMA providers, which the network behind the `UmaNetwork` port speaks and this service does not read.",
    },
    {
      id: "ERR-MISSING_REQUIRED_UMA_PARAMETERS",
      says: "400: a UMA message lacks something.",
      namedOnly:
        "It belongs to the messages between UMA providers, which the network behind the `UmaNetwork` port speaks and this service does not read.",
    },
    { id: "ERR-SENDER_NOT_ACCEPTED", says: "400: the receiving side does not take this sender." },
    { id: "ERR-AMOUNT_OUT_OF_RANGE", says: "400: an amount is beyond a limit." },
    { id: "ERR-INVALID_CURRENCY", says: "400: the currency is not possible here." },
    {
      id: "ERR-INVALID_TIMESTAMP",
      says: "400: a UMA message has a wrong time.",
      namedOnly:
        "It belongs to the messages between UMA providers, which the network behind the `UmaNetwork` port speaks and this service does not read.",
    },
    {
      id: "ERR-INVALID_NONCE",
      says: "400: a UMA message has a nonce that was used.",
      namedOnly:
        "It belongs to the messages between UMA providers, which the network behind the `UmaNetwork` port speaks and this service does not read.",
    },
    { id: "ERR-INVALID_REQUEST_FORMAT", says: "400: the request cannot be read." },
    { id: "ERR-INVALID_BANK_ACCOUNT", says: "400: the bank account is not there, or not usable." },
    { id: "ERR-SELF_PAYMENT", says: "400: payer and payee are the same." },
    { id: "ERR-LOOKUP_REQUEST_FAILED", says: "400: the receiving side could not be looked up." },
    { id: "ERR-PARSE_LNURLP_RESPONSE_ERROR", says: "400: the receiving side's answer to a lookup could not be read." },
    { id: "ERR-INVALID_AMOUNT", says: "400: the amount cannot be moved." },
    { id: "ERR-WEBHOOK_ENDPOINT_NOT_SET", says: "400: a webhook is asked for and no endpoint is configured." },
    { id: "ERR-WEBHOOK_DELIVERY_ERROR", says: "400: the endpoint of a webhook could not be reached." },
    {
      id: "ERR-LOW_QUALITY",
      says: "400: a document cannot be made out.",
    },
    {
      id: "ERR-DATA_MISMATCH",
      says: "400: a document says something else.",
    },
    {
      id: "ERR-EXPIRED",
      says: "400: a document is over.",
    },
    {
      id: "ERR-SUSPECTED_FRAUD",
      says: "400: a document may be forged.",
    },
    {
      id: "ERR-UNSUITABLE_DOCUMENT",
      says: "400: a document is of a wrong kind.",
    },
    {
      id: "ERR-INCOMPLETE",
      says: "400: a document is not whole.",
    },
    { id: "ERR-EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS", says: "400: the wallet has its one e-mail credential already." },
    {
      id: "ERR-SMS_OTP_CREDENTIAL_ALREADY_EXISTS",
      says: "400: the wallet has its one text message credential already.",
    },
    {
      id: "ERR-PASSKEY_CREDENTIAL_ALREADY_EXISTS",
      says: "400: a passkey of this WebAuthn credential id is registered on the account already.",
    },
    {
      id: "ERR-STABLECOIN_PROVIDER_ACCOUNT_INVALID",
      says: "400: a provider link is wrong.",
    },
    {
      id: "ERR-STABLECOIN_PROVIDER_ACCOUNT_REVOKED",
      says: "400: a provider link was revoked.",
    },
    {
      id: "ERR-STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED",
      says: "400: one of several active provider links has to be named.",
    },
    {
      id: "ERR-CARDHOLDER_KYC_NOT_APPROVED",
      says: "400: a card is requested for a customer whose `kycStatus` is not `APPROVED`.",
    },
    {
      id: "ERR-FUNDING_SOURCE_INELIGIBLE",
      says: "400: a funding source is not the cardholder's, or of a currency without cards.",
    },
    { id: "ERR-UNAUTHORIZED", says: "401: something is wrong with the credentials." },
    {
      id: "ERR-INVALID_SIGNATURE",
      says: "401: a signature is wrong.",
      namedOnly:
        "Every signature that the service checks has a code or reason of its own, and the specification gives no condition for this one.",
    },
    { id: "ERR-WALLET_SIGNATURE_MISSING", says: "401: a wallet's action needs a signature and has none." },
    { id: "ERR-WALLET_SIGNATURE_MALFORMED", says: "401: the signature header cannot be read." },
    { id: "ERR-WALLET_SIGNATURE_BODY_MISMATCH", says: "401: what was signed is another body than the one that came." },
    { id: "ERR-WALLET_SIGNATURE_INVALID", says: "401: the signature does not verify for the registered credential." },
    { id: "ERR-REQUEST_ID_MISSING", says: "401: a signed retry comes without its `Request-Id`." },
    { id: "ERR-FORBIDDEN", says: "403: the caller may not do this." },
    { id: "ERR-USER_NOT_READY", says: "403: the customer is there and cannot do this yet." },
    {
      id: "ERR-COUNTERPARTY_NOT_ALLOWED",
      says: "403: the counterparty is not enabled for the account.",
      namedOnly: "Nothing that is specified lets anybody forbid a counterparty.",
    },
    {
      id: "ERR-VELOCITY_LIMIT_EXCEEDED",
      says: "403: the counterparty is beyond its velocity limits.",
      namedOnly: "No velocity limit of counterparties is specified.",
    },
    { id: "ERR-TRANSACTION_NOT_FOUND", says: "404: there is no such transaction." },
    {
      id: "ERR-INVITATION_NOT_FOUND",
      says: "404: there is no such invitation.",
    },
    { id: "ERR-USER_NOT_FOUND", says: "404: there is no such customer." },
    { id: "ERR-QUOTE_NOT_FOUND", says: "404: there is no such quote." },
    { id: "ERR-LOOKUP_REQUEST_NOT_FOUND", says: "404: there is no such lookup." },
    { id: "ERR-TOKEN_NOT_FOUND", says: "404: there is no such token." },
    {
      id: "ERR-BULK_UPLOAD_JOB_NOT_FOUND",
      says: "404: there is no such upload.",
    },
    { id: "ERR-REFERENCE_NOT_FOUND", says: "404: there is no other record of this id." },
    { id: "ERR-UMA_NOT_FOUND", says: "404: there is nobody at this UMA address." },
    {
      id: "ERR-STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND",
      says: "404: there is no such provider link.",
    },
    {
      id: "ERR-SERVICE_SWITCH_ERROR",
      says: "500: a switch failed.",
      namedOnly: "The service has no switch that could fail, and the specification gives no condition.",
    },
    { id: "ERR-INTERNAL_ERROR", says: "500: the service itself failed." },
    {
      id: "ERR-RULE-01",
      says: "An agent's transfer-in that the policy denies or a spending limit does not cover is a 403 `FORBIDDEN`.",
    },
    { id: "ERR-RULE-02", says: "Confirming a contact is a 409 where the customer's region does not ask for it." },
    { id: "ERR-RULE-03", says: "Strong authentication is a 409 where the customer's region does not ask for it." },
    {
      id: "ERR-RULE-04",
      says: "A 401 `UNAUTHORIZED` carries a `reason`, which for a wrong code is `Invalid OTP code`.",
    },
    {
      id: "ERR-RULE-05",
      says: "In the sandbox an account whose identifier ends in `105` is a 400 for an invalid account.",
    },
    { id: "ERR-RULE-06", says: "An action that is approved and cannot be executed is `FAILED`, and no HTTP error." },
  ],
}
