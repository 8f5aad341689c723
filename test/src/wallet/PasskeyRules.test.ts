/** Rules of passkey assertions: precedence and boundaries. Faults of whole assertions are tested with the software authenticator. */
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
  ["the expected challenge of an assertion", sound, "holds"],
  ["another", { ...sound, challenge: "other" }, "fails"],
  ["the expected challenge of a registration", { ...sound, client: { ...client, type: "webauthn.create" } }, "fails"],
  ["client data or authenticator data that cannot be parsed", { ...sound, client: undefined }, "fails"],
])
proveRow<PasskeyRules.PasskeyFacts, unknown>(PasskeyRules.PasskeyRules, "ORIGIN_MISMATCH", [
  ["the origin of the registration", sound, "holds"],
  ["a configured origin", { ...sound, client: { ...client, origin: "https://app.example" } }, "holds"],
  ["another origin", { ...sound, client: { ...client, origin: "https://elsewhere.example" } }, "fails"],
  ["client data or authenticator data that cannot be parsed", { ...sound, client: undefined }, "fails"],
])
proveRow<PasskeyRules.PasskeyFacts, unknown>(PasskeyRules.PasskeyRules, "RELYING_PARTY_MISMATCH", [
  ["the relying party of the registration", sound, "holds"],
  ["a configured relying party", { ...sound, authenticator: { ...authenticator, relyingPartyHash: "cc" } }, "holds"],
  ["another", { ...sound, authenticator: { ...authenticator, relyingPartyHash: "bb" } }, "fails"],
  ["client data or authenticator data that cannot be parsed", { ...sound, authenticator: undefined }, "fails"],
])
proveRow<PasskeyRules.PasskeyFacts, unknown>(PasskeyRules.PasskeyRules, "USER_PRESENCE_MISSING", [
  ["a present user", sound, "holds"],
  ["an absent user", { ...sound, authenticator: { ...authenticator, userPresent: false } }, "fails"],
  ["client data or authenticator data that cannot be parsed", { ...sound, authenticator: undefined }, "fails"],
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
  ["an authenticator without a counter", counted(0, 0), "holds"],
  ["the first", counted(0, 1), "holds"],
  ["a counter that returns to 0", counted(7, 0), "fails"],
  ["client data or authenticator data that cannot be parsed", { ...sound, authenticator: undefined }, "fails"],
])
