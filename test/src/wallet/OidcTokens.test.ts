/** OIDC tokens: the rules of their claims in the sandbox, and in live mode, which also checks the issuer's signature. */
import { WalletChecks } from "@countersign/adapter-http"
import { UnauthorizedReasons } from "@countersign/core/models"
import { OidcChecks, OidcIssuers } from "@countersign/core/ports"
import { Effect, type Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as OidcClaimRules from "../../../packages/core/src/model/wallet/OidcClaimRules.ts"
import {
  claimFaults,
  malformedTokens,
  nonceOf,
  type OidcClaims,
  type OidcFault,
  oidcFaults,
  oidcPerson,
  unsigned,
  verificationFaults,
} from "../../../packages/test/src/harness/OidcPerson.ts"
import { type OidcProvider, oidcProvider } from "../../../packages/test/src/harness/OidcProvider.ts"
import { provePrecedence, proveRow } from "../../../packages/test/src/proof/RulesProof.ts"

const now = Date.UTC(2026, 10, 21, 12)
const seconds = now / 1000
const clientPublicKey = `04${"ab".repeat(64)}`
const reasonOf = (key: keyof typeof UnauthorizedReasons.rows): string => UnauthorizedReasons.rows[key]

type Expected = Parameters<(typeof OidcChecks)["Service"]["check"]>[2]

/** Returns the identity of the token, or the reason of its refusal. */
const outcome = (layer: Layer.Layer<OidcChecks>, token: string, expected?: Expected) =>
  OidcChecks.use(({ check }) => check(token, now, expected)).pipe(
    Effect.catchTags({
      OidcRefused: ({ malformed, reason }) => Effect.succeed(malformed ? "malformed" : reason),
      OidcUnavailable: () => Effect.succeed("unavailable"),
    }),
    Effect.provide(layer),
    Effect.runPromise,
  )

const google = oidcPerson()
const identity = google.identity
const facts: OidcClaimRules.OidcFacts = {
  claims: google.claims(now, { clientPublicKey }),
  isSupported: OidcIssuers.has,
  isSigned: true,
  nowMillis: now,
  expected: { identity, hasNonce: (nonce) => nonce === nonceOf(clientPublicKey) },
}
const having = (more: OidcClaims) => (of: OidcClaimRules.OidcFacts) => ({ ...of, claims: { ...of.claims, ...more } })

provePrecedence(OidcClaimRules.OidcClaimRules, {
  broken: { ...facts, claims: {}, isSigned: false },
  masked: {
    TOKEN_IN_FUTURE: "needs a time of issue, which an earlier row misses",
    TOKEN_TOO_OLD: "cannot be in the future at once",
    TOKEN_EXPIRED: "needs an expiry, which an earlier row misses",
  },
  steps: [
    ["UNSUPPORTED_ISSUER", having({ iss: identity.issuer })],
    ["INVALID_TOKEN_SIGNATURE", { isSigned: true }],
    ["INVALID_AUDIENCE", having({ aud: ["other"] })],
    ["INVALID_SUBJECT", having({ sub: identity.subject })],
    ["INVALID_ISSUE_TIME", having({ iat: seconds + 6 })],
    ["INVALID_EXPIRY", having({ exp: seconds })],
    ["TOKEN_IN_FUTURE", having({ iat: seconds - 66 })],
    ["TOKEN_TOO_OLD", having({ iat: seconds })],
    ["TOKEN_EXPIRED", having({ exp: seconds + 1 })],
    ["IDENTITY_MISMATCH", having({ aud: [identity.audience] })],
    ["NONCE_MISMATCH", having({ nonce: nonceOf(clientPublicKey) })],
  ],
})

const row = (claim: string, cases: ReadonlyArray<readonly [value: unknown, outcome: "holds" | "fails"]>) =>
  cases.map(([value, is]) => [`${claim} ${value}`, having({ [claim]: value })(facts), is] as const)

// Proves: SBXAUTH-15, LIM-06
proveRow(
  OidcClaimRules.OidcClaimRules,
  "TOKEN_IN_FUTURE",
  row("iat", [
    [seconds + 5, "holds"],
    [seconds + 5.001, "fails"],
  ]),
)
// Proves: SBXAUTH-15, LIM-06
proveRow(
  OidcClaimRules.OidcClaimRules,
  "TOKEN_TOO_OLD",
  row("iat", [
    [seconds - 65, "holds"],
    [seconds - 65.001, "fails"],
  ]),
)
// Proves: SBXAUTH-16
// No skew: a token that ends now has ended.
proveRow(
  OidcClaimRules.OidcClaimRules,
  "TOKEN_EXPIRED",
  row("exp", [
    [seconds + 0.001, "holds"],
    [seconds, "fails"],
    [seconds - 1, "fails"],
  ]),
)
// Proves: SBXAUTH-13
proveRow(
  OidcClaimRules.OidcClaimRules,
  "INVALID_AUDIENCE",
  row("aud", [
    ["wallet", "holds"],
    [["wallet"], "holds"],
    [[""], "fails"],
    [[], "fails"],
    [["wallet", "wallet"], "fails"],
    [{ 0: "wallet", length: 1 }, "fails"],
  ]),
)

proveRow(
  OidcClaimRules.OidcClaimRules,
  "INVALID_ISSUE_TIME",
  row("iat", [
    [seconds, "holds"],
    [String(seconds), "fails"],
    [Number.POSITIVE_INFINITY, "fails"],
    [undefined, "fails"],
  ]),
)

it("reads an identity from claims with an issuer, one audience and a subject", () => {
  const { audience, issuer, subject } = identity
  const claims = { iss: issuer, aud: audience, sub: subject }
  expect(OidcClaimRules.identityOf(claims)).toEqual(identity)
  for (const lacking of ["iss", "aud", "sub"]) {
    expect(OidcClaimRules.identityOf({ ...claims, [lacking]: undefined })).toBeUndefined()
    expect(OidcClaimRules.identityOf({ ...claims, [lacking]: "" })).toBeUndefined()
  }
})

describe.each(OidcIssuers.keys)("the sandbox, for %s", (issuer) => {
  const layer = WalletChecks.sandboxLayer()
  const person = oidcPerson({ issuer })

  it("returns the identity and e-mail address of a token", async () => {
    expect(await outcome(layer, person.token(now))).toEqual({ ...person.identity, email: "ada@example.com" })
  })

  // Proves: SBXAUTH-18
  it("accepts the same identity for the client's key, and refuses another key", async () => {
    const expected = { identity: person.identity, clientPublicKey }
    expect(await outcome(layer, person.token(now, { clientPublicKey }), expected)).toMatchObject(person.identity)
    const other = { ...expected, clientPublicKey: clientPublicKey.toUpperCase() }
    expect(await outcome(layer, person.token(now, { clientPublicKey }), other)).toBe(reasonOf("NONCE_MISMATCH"))
  })
})

// Proves: SBXAUTH-12, SBXAUTH-13, SBXAUTH-14, SBXAUTH-15, SBXAUTH-16
describe("the sandbox", () => {
  const layer = WalletChecks.sandboxLayer()

  it.each(Object.entries(claimFaults))("refuses a token with a wrong %s for that reason", async (wrong, { reason }) => {
    const token = google.token(now, { clientPublicKey, wrong: wrong as OidcFault })
    expect(await outcome(layer, token)).toBe(reasonOf(reason))
    expect(await outcome(layer, token, { identity, clientPublicKey })).toBe(reasonOf(reason))
  })

  // Proves: SBXAUTH-17, SBXAUTH-18
  it.each(Object.entries(verificationFaults))(
    "refuses at a sign-in a token with a wrong %s for that reason",
    async (wrong, { reason }) => {
      const token = google.token(now, { clientPublicKey, wrong: wrong as OidcFault })
      expect(await outcome(layer, token, { identity, clientPublicKey })).toBe(reasonOf(reason))
      expect(await outcome(layer, token)).toMatchObject({ issuer: expect.any(String) })
    },
  )

  // Proves: SBXAUTH-19, SBXAUTH-20, VER-05
  it.each(malformedTokens)("treats %j as malformed", async (token) => {
    expect(await outcome(layer, token)).toBe("malformed")
  })

  it("treats an oversized token as malformed", async () => {
    expect(await outcome(layer, unsigned({ ...google.claims(now), more: "x".repeat(20_000) }))).toBe("malformed")
  })

  it.each([
    ["sub", "10\u0000"],
    ["email", "\ud800@example.com"],
    ["\udc00", true],
  ])("treats a token with a claim that no store keeps as malformed: %j", async (name, value) => {
    expect(await outcome(layer, unsigned({ ...google.claims(now), [name]: value }))).toBe("malformed")
  })

  // Proves: SBXAUTH-11
  it.each(["", "dummy", "c2lnbmF0dXJl"])("accepts %j as a signature in the sandbox", async (signature) => {
    const [head, claims] = google.token(now).split(".")
    expect(await outcome(layer, `${head}.${claims}.${signature}`)).toMatchObject(identity)
  })

  it("ignores an e-mail claim that is not a string", async () => {
    expect(await outcome(layer, unsigned({ ...google.claims(now), email: 1 }))).toEqual(identity)
  })

  it("accepts a configured issuer", async () => {
    const issuer = "https://login.bank.example"
    const token = oidcPerson({ issuer }).token(now)
    expect(await outcome(layer, token)).toBe(reasonOf("UNSUPPORTED_ISSUER"))
    expect(await outcome(WalletChecks.sandboxLayer({ issuers: [issuer] }), token)).toMatchObject({ issuer })
  })
})

it.each(["http://login.example", "login.example", ""])("refuses the configured issuer %j", async (issuer) => {
  await expect(outcome(WalletChecks.layer({ issuers: [issuer] }), google.token(now))).rejects.toThrow(/https address/u)
})

describe("live mode", () => {
  let provider: OidcProvider
  let layer: Layer.Layer<OidcChecks>
  beforeAll(async () => {
    provider = await oidcProvider()
    layer = WalletChecks.layer({ issuers: [provider.issuer] })
  })
  afterAll(() => provider[Symbol.asyncDispose]())

  const person = () => oidcPerson({ issuer: provider.issuer })
  const claims = (wrong?: OidcFault) =>
    person().claims(now, { clientPublicKey, ...(wrong === undefined ? {} : { wrong }) })

  it("returns the identity of a signed token", async () => {
    expect(await outcome(layer, provider.token(claims()))).toMatchObject(person().identity)
    const expected = { identity: person().identity, clientPublicKey }
    expect(await outcome(layer, provider.token(claims()), expected)).toMatchObject(person().identity)
  })

  // A token of another supported issuer would need that issuer's keys, which this test does not serve.
  const faults = Object.entries(oidcFaults).filter(([wrong]) => wrong !== "otherIssuer")
  it.each(faults)("refuses a token with a wrong %s for that reason", async (wrong, { reason }) => {
    const token = provider.token(claims(wrong as OidcFault))
    expect(await outcome(layer, token, { identity: person().identity, clientPublicKey })).toBe(reasonOf(reason))
  })

  it.each(malformedTokens)("treats %j as malformed", async (token) => {
    expect(await outcome(layer, token)).toBe("malformed")
  })

  it("refuses a signed message whose payload is not encoded, which is not a token", async () => {
    const token = provider.token(claims(), { crit: ["b64"], b64: false })
    expect(await outcome(layer, token)).toBe(reasonOf("INVALID_TOKEN_SIGNATURE"))
  })

  it.each([[{ crit: ["b64", "b64"], b64: true }], [{ crit: ["b64"], b64: true }], [{ crit: [] }]])(
    "refuses the critical extensions %j: a token needs none",
    async (header) => {
      expect(await outcome(layer, provider.token(claims(), header))).toBe(reasonOf("INVALID_TOKEN_SIGNATURE"))
    },
  )

  it("refuses a payload that is said not to be encoded, whatever the extensions say, and accepts one that is encoded", async () => {
    expect(await outcome(layer, provider.token(claims(), { b64: false }))).toBe(reasonOf("INVALID_TOKEN_SIGNATURE"))
    expect(await outcome(layer, provider.token(claims(), { b64: true }))).toMatchObject({
      subject: person().identity.subject,
    })
  })

  it("refuses a token that the issuer did not sign", async () => {
    const token = provider.token(claims())
    const [head = "", body = "", signature = ""] = token.split(".")
    const forged = Buffer.from(JSON.stringify({ ...claims(), sub: "somebody else" })).toString("base64url")
    const wrong = [
      unsigned(claims()),
      `${head}.${forged}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}.${"A".repeat(86)}`,
      provider.token(claims(), { alg: "none" }),
      provider.token(claims(), { alg: "HS256" }),
      provider.token(claims(), { alg: "RS256" }),
      provider.token(claims(), { crit: ["unknown"], unknown: true }),
      provider.token(claims(), { kid: "unknown" }),
    ]
    for (const one of wrong) expect(await outcome(layer, one)).toBe(reasonOf("INVALID_TOKEN_SIGNATURE"))
  })
})
