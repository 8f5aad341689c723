/** Statements of the endpoints of embedded wallets: credentials, sessions, and what is signed (4.5). */
import type { Section } from "../Statement.ts"

export const walletEndpoints: Section = {
  title: "Endpoints: embedded wallets",
  statements: [
    { id: "EP-WALLET-01", says: "The operations of embedded wallets take the platform's credentials." },
    {
      id: "EP-WALLET-02",
      says: "The first call of a signed operation answers 202 with `payloadToSign` and `requestId`.",
    },
    {
      id: "EP-WALLET-03",
      says: "The second call of a signed operation is done with `Service-Wallet-Signature` and `Request-Id` in its headers.",
    },
    { id: "EP-WALLET-04", says: "The second call of a signed operation has to be the same request as the first." },

    { id: "EP-WALLET-05", says: "`POST /auth/credentials` registers `EMAIL_OTP` and answers the credential." },
    { id: "EP-WALLET-06", says: "`POST /auth/credentials` registers `SMS_OTP` and answers the credential." },
    {
      id: "EP-WALLET-07",
      says: "`POST /auth/credentials` registers `PASSKEY` by a WebAuthn challenge and its attestation.",
    },
    { id: "EP-WALLET-08", says: "`POST /auth/credentials` registers `OAUTH` by an `oidcToken`." },
    { id: "EP-WALLET-09", says: "A credential that joins another is added by the signed retry." },
    {
      id: "EP-WALLET-10",
      says: "The first `EMAIL_OTP` credential of a wallet may be answered without an `otpEncryptionTargetBundle`.",
    },
    {
      id: "EP-WALLET-11",
      says: "A credential that was registered without a bundle is challenged before it can be verified.",
    },

    { id: "EP-WALLET-12", says: "The challenge of a `PASSKEY` takes `clientPublicKey`, the hex of a point of P-256." },
    { id: "EP-WALLET-13", says: "The challenge of a `PASSKEY` answers `challenge` and `credentialId`." },
    { id: "EP-WALLET-14", says: "The challenge of `EMAIL_OTP` begins a code and answers `otpEncryptionTargetBundle`." },
    { id: "EP-WALLET-15", says: "The challenge of `SMS_OTP` begins a code and answers `otpEncryptionTargetBundle`." },
    { id: "EP-WALLET-16", says: "A challenge of a code that is asked for again issues another code." },

    {
      id: "EP-WALLET-17",
      says: "Verifying `EMAIL_OTP` takes `type`, `clientPublicKey`, and as `encryptedOtpBundle` a text of JSON with `encappedPublic` and `ciphertext`.",
    },
    {
      id: "EP-WALLET-18",
      says: "The first call that verifies `EMAIL_OTP` answers 202 with `payloadToSign` and `requestId`.",
    },
    { id: "EP-WALLET-19", says: "The signed retry that verifies `EMAIL_OTP` answers 200 with the AuthSession." },
    { id: "EP-WALLET-20", says: "Verifying `SMS_OTP` takes `type` and `encryptedOtpBundle`, and makes a session." },
    { id: "EP-WALLET-21", says: "Verifying `OAUTH` takes `type`, `oidcToken` and `clientPublicKey`." },
    { id: "EP-WALLET-22", says: "Verifying `OAUTH` answers an AuthSession with `encryptedSessionSigningKey`." },
    {
      id: "EP-WALLET-23",
      says: "Verifying `PASSKEY` takes `type` and an `assertion` of `credentialId`, `clientDataJson`, `authenticatorData` and `signature`.",
    },
    { id: "EP-WALLET-24", says: "Verifying `PASSKEY` needs the challenge's `Request-Id` in the header." },
    { id: "EP-WALLET-25", says: "Verifying `PASSKEY` answers an AuthSession with `encryptedSessionSigningKey`." },

    { id: "EP-WALLET-26", says: "`DELETE /auth/credentials/{id}` revokes a credential by a signed retry." },
    { id: "EP-WALLET-27", says: "A credential is not revoked by its own session." },

    {
      id: "EP-WALLET-28",
      says: "`GET /auth/sessions` answers 200 with the sessions of the `accountId` of the query as data.",
    },
    { id: "EP-WALLET-29", says: "The list of sessions has active ones only." },
    { id: "EP-WALLET-30", says: "Refreshing a session takes `clientPublicKey`." },
    {
      id: "EP-WALLET-31",
      says: "The first call of a refresh answers 202 with `payloadToSign`, `requestId` and `expiresAt`.",
    },
    { id: "EP-WALLET-32", says: "The signed retry of a refresh answers 201 with the AuthSession." },
    {
      id: "EP-WALLET-33",
      says: "The first call that revokes a session answers 202 with `type`, `payloadToSign`, `requestId` and `expiresAt`.",
    },
    { id: "EP-WALLET-34", says: "The signed retry that revokes a session answers 204." },

    { id: "EP-WALLET-35", says: "`POST /internal-accounts/{id}/export` is done by a signed retry." },
    { id: "EP-WALLET-36", says: "An export carries `clientPublicKey` in both calls, the same." },
    { id: "EP-WALLET-37", says: "An export answers the wallet's credentials, sealed to the client's key." },
    {
      id: "EP-WALLET-38",
      says: "`PATCH /internal-accounts/{id}` changes a wallet's privacy by a signed retry and answers the account.",
    },
    {
      id: "EP-WALLET-39",
      says: "`PATCH /customers/{id}` is signed where it changes the e-mail address of an `EMAIL_OTP` credential.",
    },
    { id: "EP-WALLET-40", says: "A `PATCH /customers/{id}` to which no credential is tied is done at once." },
    { id: "EP-WALLET-41", says: "`PATCH /customers/{id}` answers the customer as it then is." },

    { id: "EP-WALLET-42", says: "`POST /quotes/{quoteId}/execute` executes the quote." },
    {
      id: "EP-WALLET-43",
      says: "A quote out of an embedded wallet is executed with `Service-Wallet-Signature`, and not without.",
    },
    { id: "EP-WALLET-44", says: "A quote out of another account needs no signature." },
    { id: "EP-WALLET-45", says: "An `Idempotency-Key` may be sent with an execution, and makes it one." },
    {
      id: "EP-WALLET-46",
      says: "A quote out of a wallet has the payload to sign in `accountOrWalletInfo` of its payment instruction.",
    },
    {
      id: "EP-WALLET-47",
      says: "The signature of an execution has to be of the exact payload of its quote.",
    },
  ],
}
