/** The decoders of texts from outside, and what must be true of everything that they accept. */
import { isIPv4 } from "node:net"
import { isDeepStrictEqual } from "node:util"
import { Base58Check, Stamp } from "@countersign/core/crypto"
import { Effect, Exit, Option, Result, Schema } from "effect"
import * as AddressPolicy from "../../../packages/adapter-http/src/webhook/AddressPolicy.ts"
import { hostsOf } from "../../../packages/adapter-postgres/src/connection/Hosts.ts"
import * as CanonicalJson from "../../../packages/core/src/foundation/kit/CanonicalJson.ts"
import { HttpUrl } from "../../../packages/core/src/foundation/kit/HttpUrl.ts"
import { Instant, iso, millisOf } from "../../../packages/core/src/foundation/kit/Instant.ts"
import * as Outside from "../../../packages/core/src/foundation/kit/Outside.ts"
import * as Page from "../../../packages/core/src/foundation/kit/Page.ts"
import { isUmaAddress, umaAddressParts } from "../../../packages/core/src/model/customer/UmaAddress.ts"
import { holds, source, type Target } from "./Target.ts"

const accepts = (schema: Schema.Codec<string>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (text: string): boolean => Result.isSuccess(decode(text))
}

const filters = { customerId: "Customer:1", status: ["PENDING"] }
const cursor = Page.encodeCursor({ createdAt: 1_750_000_000_000, id: "Transaction:01890a5d" }, filters)

const isInstant = accepts(Instant)
const isHttpUrl = accepts(HttpUrl(2048))
const publicOnly = AddressPolicy.make("public")

/** Addresses that are never on the public internet, recognized without the policy's own table. */
const isInside = (host: string): boolean =>
  (isIPv4(host) && /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|22[4-9]|2[3-5]\d)\./u.test(host)) ||
  /^\[(?:::1?|f[cdef][0-9a-f]{2}:.*)\]$/iu.test(host)

const stamp = Buffer.from(
  JSON.stringify({
    publicKey: `02${"ab".repeat(32)}`,
    scheme: "SIGNATURE_SCHEME_TK_API_P256",
    signature: "3006020101020101",
  }),
).toString("base64url")

export const textTargets: ReadonlyArray<Target> = [
  {
    name: "JSON bodies",
    sources: source("core/src/foundation/kit/(?:Outside|JsonLimits|CanonicalJson)"),
    valid: ['{"a":[1,2.5,-3e2,true,null],"b":{"c":"d\\u00e9"}}', '["\\ud83d\\ude00",{},[],""]', '"text"', "0"],
    check: (input) => {
      const parsed = Outside.parseStorable(input)
      if (Result.isFailure(parsed)) return undefined
      const canonical = CanonicalJson.stringify(parsed.success)
      return (
        holds(CanonicalJson.stringify(JSON.parse(canonical)) === canonical, "canonical text is not stable") ??
        holds(
          Outside.clean(parsed.success) === parsed.success || input.length > Outside.textLengthMax,
          "a storable value is cleaned",
        )
      )
    },
  },
  {
    name: "cursors",
    sources: source("core/src/foundation/kit/(?:Page|Outside)"),
    valid: [cursor],
    check: (input) => {
      const position = Page.decodeCursor(input, filters)
      if (position === undefined) return undefined
      const again = Page.decodeCursor(Page.encodeCursor(position, filters), filters)
      return (
        holds(isDeepStrictEqual(again, position), "a position changes on its way") ??
        holds(
          Number.isSafeInteger(position.createdAt) && Outside.isStorableText(position.id),
          "a position is not storable",
        )
      )
    },
  },
  {
    name: "signature headers",
    sources: source("core/src/foundation/crypto/(?:Stamp|JsonObject|HexText)"),
    valid: [stamp],
    check: (input) => {
      const exit = Effect.runSyncExit(Stamp.parse(input))
      if (Exit.isFailure(exit)) return holds(Option.isSome(Exit.findErrorOption(exit)), "a defect")
      const { publicKey, signature } = exit.value
      return holds(
        /^0[23][0-9a-f]{64}$/u.test(publicKey) && /^(?:[0-9a-f]{2})+$/iu.test(signature),
        "a stamp is malformed",
      )
    },
  },
  {
    name: "Base58Check",
    sources: source("core/src/foundation/crypto/Base58Check"),
    valid: [Base58Check.encode(Uint8Array.from({ length: 40 }, (_, n) => n)), Base58Check.encode(new Uint8Array(3))],
    check: (input) => {
      const bytes = Base58Check.decode(input)
      return bytes && holds(Base58Check.encode(bytes) === input, "two texts have the same bytes")
    },
  },
  {
    name: "webhook addresses",
    sources: source("adapter-http/src/webhook/AddressPolicy"),
    valid: [
      "https://hooks.example.com:8443/in?x=1",
      "https://93.184.216.34/",
      "https://[2606:2800:220:1::1]/hook",
      "http://127.0.0.1:80/",
      "https://[::ffff:10.0.0.1]/",
      "https://2130706433/",
      "https://0x7f.1/",
    ],
    check: (input) => {
      const parsed = AddressPolicy.parseEndpoint(publicOnly, input)
      if (Result.isFailure(parsed))
        return holds(input.length < 24 || !parsed.failure.includes(input), "the reason repeats the address")
      const { hostname, password, protocol, username } = parsed.success.url
      return (
        holds(protocol === "https:", "an address without encryption") ??
        holds(username === "" && password === "", "an address with credentials") ??
        holds(!isInside(hostname), "an address of a private network")
      )
    },
  },
  {
    name: "date-times",
    sources: source("core/src/foundation/kit/Instant"),
    valid: ["2025-07-21T17:32:28Z", "2024-02-29T23:59:59.123456789+05:30", "1999-12-31T00:00:00.5-11:00"],
    check: (input) => {
      if (!isInstant(input)) return undefined
      const millis = millisOf(input)
      return (
        holds(Number.isFinite(millis), "a date-time without a time") ??
        holds(millisOf(iso(millis)) === millis, "a time changes on its way")
      )
    },
  },
  {
    name: "web addresses",
    sources: source("core/src/foundation/kit/HttpUrl"),
    valid: ["https://user:pw@example.com:8080/a/b?c=d#e", "http://[2001:db8::1]:80/%20", "https://a.b/"],
    check: (input) =>
      isHttpUrl(input) ? holds(/^https?:\/\/[^/?#]/u.test(input), "an address without a host") : undefined,
  },
  {
    name: "UMA addresses",
    sources: source("core/src/model/customer/UmaAddress"),
    valid: ["$ada.l@example.com", "$x@a.b:8080"],
    check: (input) => {
      if (!isUmaAddress(input)) return undefined
      const { domain, name } = umaAddressParts(input)
      return holds(name !== "" && domain !== "" && !`${name}${domain}`.includes("@"), "a part is missing")
    },
  },
  {
    name: "store addresses",
    sources: source("adapter-postgres/src/connection/Hosts"),
    valid: [
      "postgres://user:p%40ss@a:5432,b:5433/data?target_session_attrs=read-write&sslmode=require",
      "postgresql:///data?host=/run/postgresql",
      "postgres://[::1]:5432/data",
    ],
    check: (input) => {
      const hosts = hostsOf(input)
      if (hosts === undefined) return undefined
      return (
        holds(hosts.length > 0 && hosts.every((one) => URL.canParse(one)), "an address that is not valid") ??
        holds(
          hosts.every((one) => new URL(one).protocol.startsWith("postgres")),
          "an address of something else",
        )
      )
    },
  },
]
