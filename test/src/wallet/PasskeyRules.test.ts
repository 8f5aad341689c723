/** The rules of a passkey's use: their precedence. Each row's own cases stand with the software authenticator. */
import { PasskeyRules } from "@countersign/core"
import { provePrecedence } from "../proof/RulesProof.ts"

const client: PasskeyRules.ClientData = {
  type: "webauthn.get",
  challenge: "Y2hhbGxlbmdl",
  origin: "https://wallet.example",
}
const authenticator: PasskeyRules.AuthenticatorState = {
  relyingPartyHash: "aa",
  userPresent: true,
  userVerified: false,
  signatureCount: 8,
}

provePrecedence<PasskeyRules.PasskeyFacts, unknown>(PasskeyRules.PasskeyRules, {
  broken: {
    credentialId: "other",
    client: { type: "webauthn.create", challenge: "b3RoZXI", origin: "https://elsewhere.example" },
    authenticator: { ...authenticator, relyingPartyHash: "bb", userPresent: false, signatureCount: 7 },
    challenge: client.challenge,
    passkey: {
      credentialId: "credential",
      publicKey: "",
      signatureCount: 7,
      origin: client.origin,
      relyingPartyHash: "aa",
      userVerified: true,
    },
    origins: [],
    relyingPartyHashes: [],
    isSigned: false,
  },
  steps: [
    ["CREDENTIAL_ID_MISMATCH", { credentialId: "credential" }],
    ["CHALLENGE_MISMATCH", { client: { ...client, origin: "https://elsewhere.example" } }],
    ["ORIGIN_MISMATCH", { client }],
    ["RELYING_PARTY_MISMATCH", { authenticator: { ...authenticator, userPresent: false, signatureCount: 7 } }],
    ["USER_PRESENCE_MISSING", { authenticator: { ...authenticator, signatureCount: 7 } }],
    ["INVALID_ASSERTION_SIGNATURE", { isSigned: true }],
    ["SIGNATURE_COUNTER_STALE", { authenticator }],
  ],
})
