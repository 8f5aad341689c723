/** The rules of a passkey's use: their precedence. Each row's own cases stand with the software authenticator. */
import * as PasskeyRules from "../../../packages/core/src/model/wallet/PasskeyRules.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"

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

const passkey: PasskeyRules.PasskeyFacts["passkey"] = {
  credentialId: "credential",
  publicKey: "",
  signatureCount: 7,
  origin: client.origin,
  relyingPartyHash: "aa",
  userVerified: true,
}

provePrecedence<PasskeyRules.PasskeyFacts, unknown>(PasskeyRules.PasskeyRules, {
  broken: {
    credentialId: "other",
    client: { type: "webauthn.create", challenge: "b3RoZXI", origin: "https://elsewhere.example" },
    authenticator: { ...authenticator, relyingPartyHash: "bb", userPresent: false, signatureCount: 7 },
    challenge: client.challenge,
    passkey,
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

const sound: PasskeyRules.PasskeyFacts = {
  credentialId: "credential",
  client,
  authenticator,
  challenge: client.challenge,
  passkey,
  origins: ["https://app.example"],
  relyingPartyHashes: ["cc"],
  isSigned: true,
}

proveRow<PasskeyRules.PasskeyFacts, unknown>(PasskeyRules.PasskeyRules, "CHALLENGE_MISMATCH", [
  ["the one that was given, for a use", sound, "holds"],
  ["another", { ...sound, challenge: "other" }, "fails"],
  ["the one that was given, for a registration", { ...sound, client: { ...client, type: "webauthn.create" } }, "fails"],
  ["nothing that can be read", { ...sound, client: undefined }, "fails"],
])
proveRow<PasskeyRules.PasskeyFacts, unknown>(PasskeyRules.PasskeyRules, "ORIGIN_MISMATCH", [
  ["where it was registered", sound, "holds"],
  ["where the deployment takes it, too", { ...sound, client: { ...client, origin: "https://app.example" } }, "holds"],
  ["elsewhere", { ...sound, client: { ...client, origin: "https://elsewhere.example" } }, "fails"],
  ["nothing that can be read", { ...sound, client: undefined }, "fails"],
])
proveRow<PasskeyRules.PasskeyFacts, unknown>(PasskeyRules.PasskeyRules, "RELYING_PARTY_MISMATCH", [
  ["the one of its registration", sound, "holds"],
  [
    "one that the deployment takes, too",
    { ...sound, authenticator: { ...authenticator, relyingPartyHash: "cc" } },
    "holds",
  ],
  ["another", { ...sound, authenticator: { ...authenticator, relyingPartyHash: "bb" } }, "fails"],
  ["nothing that can be read", { ...sound, authenticator: undefined }, "fails"],
])
proveRow<PasskeyRules.PasskeyFacts, unknown>(PasskeyRules.PasskeyRules, "USER_PRESENCE_MISSING", [
  ["somebody was there", sound, "holds"],
  ["nobody was", { ...sound, authenticator: { ...authenticator, userPresent: false } }, "fails"],
  ["nothing that can be read", { ...sound, authenticator: undefined }, "fails"],
])

const counted = (last: number, next: number): PasskeyRules.PasskeyFacts => ({
  ...sound,
  passkey: { ...passkey, signatureCount: last },
  authenticator: { ...authenticator, signatureCount: next },
})
proveRow<PasskeyRules.PasskeyFacts, unknown>(PasskeyRules.PasskeyRules, "SIGNATURE_COUNTER_STALE", [
  ["one more", counted(7, 8), "holds"],
  ["the same", counted(7, 7), "fails"],
  ["one less", counted(7, 6), "fails"],
  ["none at all, ever", counted(0, 0), "holds"],
  ["the first", counted(0, 1), "holds"],
  ["none any more", counted(7, 0), "fails"],
  ["nothing that can be read", { ...sound, authenticator: undefined }, "fails"],
])
