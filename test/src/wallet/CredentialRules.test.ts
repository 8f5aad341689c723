/** Refusals of a new credential, with the field that each names. Wire contract 4.1 to 4.3. */
import { expect, it } from "vitest"
import { credentialClaims } from "../../../packages/core/src/model/wallet/Credential.ts"
import {
  additionRefusal,
  missingContact,
  typeMismatch,
} from "../../../packages/core/src/model/wallet/CredentialRules.ts"

type Credential = Parameters<typeof additionRefusal>[0]["credential"]

const common = { accountId: "InternalAccount:a", nickname: "mine", isRevoked: false }
const otp = (type: "EMAIL_OTP" | "SMS_OTP"): Credential => ({ type, contact: "ada", ...common })
const passkey = (credentialId: string, challengeHash: string): Credential => ({
  type: "PASSKEY",
  passkey: {
    credentialId,
    publicKey: "",
    signatureCount: 0,
    origin: "https://wallet.example",
    relyingPartyHash: "aa",
    userVerified: true,
  },
  challengeHash,
  ...common,
})
const person = (subject: string, at = { issuer: "i", audience: "a" }): Credential => ({
  type: "OAUTH",
  identity: { ...at, subject },
  ...common,
})
const added = (credential: Credential, ...others: ReadonlyArray<Credential>) =>
  additionRefusal({ credential, others, taken: undefined })

it("accepts a credential that the wallet does not have", () => {
  expect(added(otp("EMAIL_OTP"))).toBeUndefined()
  expect(added(otp("EMAIL_OTP"), otp("SMS_OTP"), passkey("a", "1"), person("ada"))).toBeUndefined()
  expect(added(passkey("b", "2"), passkey("a", "1"))).toBeUndefined()
  expect(added(person("bob"), person("ada"))).toBeUndefined()
})

it.each([
  [
    "EMAIL_OTP",
    otp("EMAIL_OTP"),
    "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS",
    "The wallet has an EMAIL_OTP credential already.",
  ],
  ["SMS_OTP", otp("SMS_OTP"), "SMS_OTP_CREDENTIAL_ALREADY_EXISTS", "The wallet has an SMS_OTP credential already."],
] as const)("refuses a second %s credential with its own code", (_type, credential, code, message) => {
  expect(added(credential, person("ada"), credential)).toEqual({ code, message })
  expect(additionRefusal({ credential, others: [], taken: { scope: "platform", key: "credential:x" } })).toEqual({
    code,
    message,
  })
})

it("refuses a registered passkey and a known identity", () => {
  expect(added(passkey("a", "2"), passkey("a", "1"))).toEqual({
    code: "PASSKEY_CREDENTIAL_ALREADY_EXISTS",
    message: "This passkey is registered on the wallet already.",
  })
  expect(added(person("ada"), person("ada"))).toMatchObject({
    code: "INVALID_INPUT",
    details: {
      errors: [{ field: "oidcToken", message: "must name a person whom the wallet does not know yet" }],
    },
  })
})

it("claims one key for each wallet, type and identity, also of a person with one name at two providers", () => {
  const credentials = [
    person("ada"),
    person("bob"),
    person("ada", { issuer: "j", audience: "a" }),
    person("ada", { issuer: "i", audience: "b" }),
    { ...person("ada"), accountId: "InternalAccount:b" },
    otp("EMAIL_OTP"),
    otp("SMS_OTP"),
    passkey("ada", "1"),
    passkey("bob", "1"),
  ]
  const keys = credentials.map((credential) => credentialClaims(credential)[0]?.key)
  expect(new Set(keys).size).toBe(credentials.length)
  expect(credentialClaims(person("ada"))).toEqual(credentialClaims({ ...person("ada"), nickname: "another" }))
})

it("keeps the challenge of a revoked passkey claimed, and none of its other keys", () => {
  const of = (credential: Credential) => credentialClaims({ ...credential, isRevoked: true }).map(({ key }) => key)
  expect(of(passkey("a", "1"))).toEqual(["passkey-registration:1"])
  expect([of(person("ada")), of(otp("EMAIL_OTP"))]).toEqual([[], []])
})

it("refuses a used registration challenge for any passkey", () => {
  expect(added(passkey("b", "1"), passkey("a", "1"))).toMatchObject({
    code: "INVALID_INPUT",
    details: { errors: [{ field: "challenge" }] },
  })
})

it("names the type field for a missing contact and for another credential type", () => {
  expect(missingContact("EMAIL_OTP").details).toEqual({
    errors: [{ field: "type", message: "needs a customer with an e-mail address" }],
  })
  expect(missingContact("SMS_OTP").details).toEqual({
    errors: [{ field: "type", message: "needs a customer with a telephone number" }],
  })
  expect(typeMismatch("PASSKEY").details).toEqual({
    errors: [{ field: "type", message: "must be PASSKEY, as the credential's", constraint: { enum: ["PASSKEY"] } }],
  })
})
