/**
 * Checks the signature of a request as an S3 server does: it derives the signature again from what arrived.
 * Source: the public description of Signature Version 4 (canonical request, string to sign, signing key).
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"

export interface KeyPair {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex")
const hmac = (key: string | Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest()

/** Percent-encodes every byte that RFC 3986 does not call unreserved. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/gu, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

const canonicalPath = (path: string): string => path.split("/").map(decodeURIComponent).map(encode).join("/")

const canonicalQuery = (query: string): string =>
  query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.includes("=") ? pair.indexOf("=") : pair.length
      return `${encode(decodeURIComponent(pair.slice(0, at)))}=${encode(decodeURIComponent(pair.slice(at + 1)))}`
    })
    .toSorted()
    .join("&")

/** The parts of `YYYYMMDDTHHMMSSZ` as milliseconds since 1970. */
const millisOf = (stamp: string): number =>
  Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u, "$1-$2-$3T$4:$5:$6Z"))

const skewMillisMax = 15 * 60 * 1000

/** Returns the code of the refusal, or `undefined` if the signature holds for this request and these bytes. */
export const problemOfSignature = (
  { headers, method = "", url = "" }: Pick<IncomingMessage, "headers" | "method" | "url">,
  body: Uint8Array,
  keys: KeyPair,
  region: string,
): string | undefined => {
  const header = (name: string) => String(headers[name] ?? "")
  const authorization =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/u
  const [, accessKeyId, day = "", signedRegion = "", names = "", signature = ""] =
    authorization.exec(header("authorization")) ?? []
  if (accessKeyId === undefined) return "AccessDenied"
  if (accessKeyId !== keys.accessKeyId) return "InvalidAccessKeyId"
  if (header("x-amz-security-token") !== (keys.sessionToken ?? "")) return "InvalidToken"
  if (signedRegion !== region) return "AuthorizationHeaderMalformed"
  const stamp = header("x-amz-date")
  if (!stamp.startsWith(`${day}T`) || !(Math.abs(Date.now() - millisOf(stamp)) < skewMillisMax))
    return "RequestTimeTooSkewed"
  const signed = names.split(";")
  const required = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))]
  if (required.some((name) => !signed.includes(name))) return "AccessDenied"
  if (header("x-amz-content-sha256") !== sha256(body)) return "XAmzContentSHA256Mismatch"
  const [path = "", query = ""] = url.split("?")
  const request = [
    method,
    canonicalPath(path),
    canonicalQuery(query),
    ...signed.map((name) => `${name}:${header(name).trim().replaceAll(/ +/gu, " ")}`),
    "",
    names,
    sha256(body),
  ].join("\n")
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ["AWS4-HMAC-SHA256", stamp, scope, sha256(request)].join("\n")
  const key = [region, "s3", "aws4_request"].reduce<Uint8Array>(hmac, hmac(`AWS4${keys.secretAccessKey}`, day))
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, "hex")) ? undefined : "SignatureDoesNotMatch"
}
