/**
 * The exact text of each payload that wallet actions sign.
 * Source: wire contract 4.8; D-144, D-261.
 */
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as Payloads from "../../../packages/core/src/model/wallet/SigningPayload.ts"
import { accountId, email, oauth, owner, passkey, sms } from "./StoredCredentials.ts"

const signatory = { ...owner, accountId }
const text = (payload: Payloads.Payload) => Payloads.payloadText(payload, 5)
const ofActivity = (type: string, parameters: object, organizationId = accountId) =>
  `{"organizationId":"${organizationId}","parameters":${JSON.stringify(parameters)},"timestampMs":"5","type":"ACTIVITY_TYPE_${type}"}`
const userId = owner.customerId
const hash = (of: string) => createHash("sha256").update(of).digest("hex")

describe("the payload", () => {
  const attestation = { credentialId: "c", clientDataJson: "d", attestationObject: "o" }
  const register = { type: "PASSKEY", accountId, nickname: " My phone ", challenge: "x", attestation } as const
  const authenticator = (transports: ReadonlyArray<string>) => ({
    authenticators: [
      {
        attestation: { attestationObject: "o", clientDataJson: "d", credentialId: "c" },
        authenticatorName: "My phone",
        challenge: "x",
        transports,
      },
    ],
    userId,
  })

  it.each<readonly [string, Payloads.Payload, string]>([
    ["is a fixed text", Payloads.fixedText("token"), "token"],
    [
      "changes an address",
      Payloads.updateContact(owner, "org", "EMAIL_OTP", "a@b.c"),
      ofActivity("UPDATE_USER_EMAIL", { userEmail: "a@b.c", userId }, "org"),
    ],
    [
      "changes a number",
      Payloads.updateContact(owner, "org", "SMS_OTP", "+1"),
      ofActivity("UPDATE_USER_PHONE_NUMBER", { userId, userPhoneNumber: "+1" }, "org"),
    ],
    [
      "of the platform names the platform",
      Payloads.updateContact({ ...owner, customerId: null }, "org", "SMS_OTP", "+1"),
      ofActivity("UPDATE_USER_PHONE_NUMBER", { userId: owner.platformId, userPhoneNumber: "+1" }, "org"),
    ],
    [
      "adds a code by e-mail",
      Payloads.addCredential(signatory, { type: "EMAIL_OTP", accountId }, "a@b.c"),
      ofActivity("UPDATE_USER_EMAIL", { userEmail: "a@b.c", userId }),
    ],
    [
      "adds an identity",
      Payloads.addCredential(signatory, { type: "OAUTH", accountId, oidcToken: "t" }, "https://appleid.apple.com"),
      ofActivity("CREATE_OAUTH_PROVIDERS", { oauthProviders: [{ oidcToken: "t", providerName: "Apple" }], userId }),
    ],
    [
      "adds a passkey",
      Payloads.addCredential(signatory, register, ""),
      ofActivity("CREATE_AUTHENTICATORS_V2", authenticator([])),
    ],
    [
      "adds a passkey with its transports",
      Payloads.addCredential(
        signatory,
        { ...register, attestation: { ...attestation, transports: ["usb", "nfc"] } },
        "",
      ),
      ofActivity("CREATE_AUTHENTICATORS_V2", authenticator(["usb", "nfc"])),
    ],
    [
      "removes an address",
      Payloads.revokeCredential(signatory, "m", email),
      ofActivity("UPDATE_USER_EMAIL", { userEmail: "", userId }),
    ],
    [
      "removes a number",
      Payloads.revokeCredential(signatory, "m", sms),
      ofActivity("UPDATE_USER_PHONE_NUMBER", { userId, userPhoneNumber: "" }),
    ],
    [
      "removes a passkey",
      Payloads.revokeCredential(signatory, "m", passkey),
      ofActivity("DELETE_AUTHENTICATORS", { authenticatorIds: ["m"], userId }),
    ],
    [
      "removes an identity",
      Payloads.revokeCredential(signatory, "m", oauth),
      ofActivity("DELETE_OAUTH_PROVIDERS", { providerIds: ["m"], userId }),
    ],
    [
      "ends a session",
      Payloads.revokeSession(signatory, "s"),
      ofActivity("DELETE_API_KEYS", { apiKeyIds: ["s"], userId }),
    ],
    [
      "creates a session",
      Payloads.createSession(accountId, "04aa"),
      ofActivity("CREATE_READ_WRITE_SESSION_V2", { targetPublicKey: "04aa" }),
    ],
    [
      "exports a wallet",
      Payloads.exportWallet(accountId, "04aa"),
      ofActivity("EXPORT_WALLET", { targetPublicKey: "04aa", walletId: accountId }),
    ],
    ...[
      [Payloads.signRaw(accountId, { b: 1, a: 2 }), accountId] as const,
      [Payloads.signRaw(accountId, { b: 1, a: 2 }, "Card:1"), "Card:1"] as const,
    ].map(
      ([payload, signWith]) =>
        [
          "signs a body",
          payload,
          ofActivity("SIGN_RAW_PAYLOAD_V2", {
            encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
            hashFunction: "HASH_FUNCTION_NO_OP",
            payload: hash('{"a":2,"b":1}'),
            signWith,
          }),
        ] as const,
    ),
    [
      "adds a delegate",
      Payloads.createDelegate(accountId, { keyId: "k", publicKey: "02aa" }, "Card key"),
      ofActivity("CREATE_USERS_V3", {
        users: [
          { apiKeys: [{ apiKeyName: "Card key", curveType: "API_KEY_CURVE_P256", publicKey: "02aa" }], userName: "k" },
        ],
      }),
    ],
    [
      "permits a delegate the debits of one card",
      Payloads.createDelegation(accountId, { keyId: "k", publicKey: "02aa" }, "Card:1"),
      ofActivity("CREATE_POLICIES", {
        policies: [
          {
            condition: "card.id == 'Card:1'",
            consensus: "approvers.any(user, user.name == 'k')",
            effect: "EFFECT_ALLOW",
            policyName: "k",
          },
        ],
      }),
    ],
  ])("%s", (_, payload, expected) => {
    expect(text(payload)).toBe(expected)
  })

  it("of a quote has the order of the published sample", () => {
    expect(Payloads.signTransaction(accountId, "tx", 5)).toBe(
      `{"type":"ACTIVITY_TYPE_SIGN_TRANSACTION_V2","timestampMs":"5","organizationId":"${accountId}","parameters":{"signWith":"${accountId}","unsignedTransaction":"tx","type":"TRANSACTION_TYPE_ETHEREUM"},"generateAppProofs":true}`,
    )
  })

  it("of a session is the challenge of a passkey, hashed", () => {
    expect(Payloads.passkeyChallenge(accountId, "04aa", 5)).toBe(hash(text(Payloads.createSession(accountId, "04aa"))))
  })

  it("names a known provider, or the issuer of an unknown one", () => {
    const names = [
      "https://accounts.google.com",
      "accounts.google.com",
      "https://appleid.apple.com",
      "https://other.example",
    ].map(Payloads.providerName)
    expect(names).toEqual(["Google", "Google", "Apple", "https://other.example"])
  })
})
