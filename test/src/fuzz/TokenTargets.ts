/** The decoders of OIDC tokens: in the sandbox, which accepts any signature, and in live mode, which has the keys of the issuer. */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { WalletChecks } from "@countersign/adapter-http"
import { OidcChecks, type OidcPerson } from "@countersign/core/ports"
import { Effect, type Layer } from "effect"
import { oidcPerson } from "../../../packages/test/src/harness/OidcPerson.ts"
import { byteMutator } from "./ByteMutants.ts"
import { jsonMutator } from "./JsonMutants.ts"
import { acceptedOf } from "./Outcome.ts"
import { base64urlOf, encodedMutator, joined, partsMutator, partsOf } from "./Parts.ts"
import { holds, type Mutator, type Problem, type Target, type TargetSource } from "./Target.ts"

const nowMillis = Date.UTC(2026, 10, 21, 12)
const clientPublicKey = `04${"ab".repeat(64)}`
const sources = /adapter-http\/src\/wallet\/(?:Oidc|Base64Url)|model\/wallet\/OidcClaimRules|node_modules\/jose\//u

/** Instead of a signature: the issuer signs what the input says. */
const signed = "signed"
/** Another segment follows. */
const more = "more"

const encodedPart = (mutant: Mutator) => encodedMutator(base64urlOf, mutant)
const mutant = partsMutator([
  encodedPart(jsonMutator),
  encodedPart(jsonMutator),
  (draw, part) => (part === signed && draw(4) > 0 ? part : encodedPart(byteMutator)(draw, part)),
  (draw, part) => (draw(8) === 0 && part === "" ? more : ""),
])

type Sign = (header: string, input: string) => string

const tokenOf = (input: string, sign: Sign): string => {
  const [header = "", payload = "", signature = "", end = ""] = partsOf(input, 4)
  const text = `${base64urlOf(header)}.${base64urlOf(payload)}`
  const all = [text, signature === signed ? sign(header, text) : base64urlOf(signature)]
  return (end === "" ? all : [...all, end]).join(".")
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Returns the object of a segment. Throws if it is not the canonical base64url of a JSON object in UTF-8. */
const objectOf = (segment: string): Readonly<Record<string, unknown>> => {
  const bytes = Buffer.from(segment, "base64url")
  const value: unknown = JSON.parse(strictUtf8.decode(bytes))
  if (bytes.toString("base64url") !== segment) throw new Error("a segment has another text")
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("a segment is not an object")
  return Object.fromEntries(Object.entries(value))
}

/** What is wrong with an accepted token, by any signature. */
const problemOfClaims = (token: string, person: OidcPerson): Problem => {
  const segments = token.split(".")
  const { aud, exp, iat, iss, nonce, sub } = objectOf(segments[1] ?? "")
  const now = nowMillis / 1000
  const audience: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud
  return (
    holds(segments.length === 3, "another number of segments") ??
    holds(
      isDeepStrictEqual([iss, audience, sub], [person.issuer, person.audience, person.subject]),
      "another identity than the token has",
    ) ??
    holds(nonce === createHash("sha256").update(clientPublicKey).digest("hex"), "a nonce of another key") ??
    holds(typeof iat === "number" && Math.abs(iat - now) <= 65, "another time of issue") ??
    holds(typeof exp === "number" && exp > now, "an expired token")
  )
}

const checksOf = (layer: Layer.Layer<OidcChecks>) =>
  Effect.runSync(Effect.provide(OidcChecks.use(Effect.succeed), layer))

const header = { alg: "ES256", kid: "key-1", typ: "JWT" }

const sandboxTokens = (): Target => {
  const checks = checksOf(WalletChecks.sandboxLayer())
  const { claims, identity } = oidcPerson()
  const valid = joined([JSON.stringify(header), JSON.stringify(claims(nowMillis, { clientPublicKey })), "dummy", ""])
  const expected = { identity, clientPublicKey }
  return {
    name: "sandbox tokens",
    sources,
    valid: [valid],
    mutant,
    check: async (input) => {
      const token = tokenOf(input, () => "dummy")
      const accepted = await acceptedOf(checks.check(token, nowMillis, expected), "OidcRefused")
      return accepted && (holds(isSame(accepted, identity), "another identity") ?? problemOfClaims(token, accepted))
    },
  }
}

const isSame = (person: OidcPerson, identity: Omit<OidcPerson, "email">): boolean =>
  person.issuer === identity.issuer && person.audience === identity.audience && person.subject === identity.subject

const issuer = "https://issuer.example"

interface IssuerKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const makeKeys = (): ReadonlyArray<IssuerKey> => [
  { kid: "key-1", alg: "ES256", ...generateKeyPairSync("ec", { namedCurve: "P-256" }) },
  { kid: "key-2", alg: "EdDSA", ...generateKeyPairSync("ed25519") },
]

const digestOf = ({ alg }: IssuerKey) => (alg === "EdDSA" ? null : "sha256")

/** Signs by the key that the header names, and else by the first one. */
const signer =
  (keys: ReadonlyArray<IssuerKey>): Sign =>
  (head, input) => {
    const key = keys.find(({ kid }) => head.includes(kid)) ?? keys[0]
    if (key === undefined) return ""
    const options = { key: key.privateKey, dsaEncoding: "ieee-p1363" } as const
    return sign(digestOf(key), Buffer.from(input), options).toString("base64url")
  }

const isSigned = (keys: ReadonlyArray<IssuerKey>, token: string): boolean => {
  const [head = "", payload = "", signature = ""] = token.split(".")
  const { alg, b64, crit } = objectOf(head)
  const bytes = Buffer.from(signature, "base64url")
  if (bytes.toString("base64url") !== signature || b64 === false || crit !== undefined) return false
  return keys.some(
    (key) =>
      (alg === key.alg || (key.alg === "EdDSA" && alg === "Ed25519")) &&
      verify(
        digestOf(key),
        Buffer.from(`${head}.${payload}`),
        { key: key.publicKey, dsaEncoding: "ieee-p1363" },
        bytes,
      ),
  )
}

const issuedTokens = (): Target => {
  const keys = makeKeys()
  const documents: { readonly [address: string]: unknown } = {
    [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: `${issuer}/keys` },
    [`${issuer}/keys`]: {
      keys: keys.map(({ alg, kid, publicKey }) => ({
        ...createPublicKey(publicKey.export({ type: "spki", format: "pem" })).export({ format: "jwk" }),
        kid,
        alg,
        use: "sig",
      })),
    },
  }
  const fetch = async (address: string | URL | Request) => Response.json(documents[String(address)])
  const checks = checksOf(WalletChecks.layer({ issuers: [issuer], fetch, cooldownMillis: Number.POSITIVE_INFINITY }))
  const { claims, identity } = oidcPerson({ issuer })
  const payload = JSON.stringify(claims(nowMillis, { clientPublicKey }))
  const expected = { identity, clientPublicKey }
  const headers = [
    header,
    { alg: "EdDSA", kid: "key-2" },
    { alg: "EdDSA" },
    { alg: "HS256", kid: "key-1" },
    { ...header, crit: ["b64"], b64: false },
    { ...header, jwk: {}, jku: `${issuer}/keys`, x5c: [] },
  ].map((value) => JSON.stringify(value))
  return {
    name: "issued tokens",
    sources,
    valid: [
      joined([headers[0] ?? "", payload, signed, ""]),
      ...headers.slice(1).map((head) => joined([head, payload, signed, ""])),
    ],
    mutant,
    check: async (input) => {
      const token = tokenOf(input, signer(keys))
      const accepted = await acceptedOf(checks.check(token, nowMillis, expected), "OidcRefused")
      return (
        accepted &&
        (holds(isSame(accepted, identity), "another identity") ??
          holds(isSigned(keys, token), "a token that the issuer did not sign") ??
          problemOfClaims(token, accepted))
      )
    },
  }
}

export const tokenTargets: ReadonlyArray<TargetSource> = [
  { name: "sandbox tokens", cost: 4, make: sandboxTokens },
  { name: "issued tokens", cost: 10, make: issuedTokens },
]
