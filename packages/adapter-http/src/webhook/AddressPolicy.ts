/**
 * Which addresses a webhook may be sent to, so that a platform's endpoint cannot reach into the deployment's network.
 * Source: wire contract 6.2. Pure: names are resolved elsewhere, and every address they lead to is asked about here.
 *
 * "any" allows every http and https address. "public" demands https and addresses of the public internet; a host name in
 * the allow list is exempt from both, an IP address or CIDR range in it exempts the addresses (and, written literally in
 * the URL, the scheme). Addresses of instance metadata need an entry of their own: an allowed name does not reach them.
 */
import { Result } from "effect"
import ipaddr from "ipaddr.js"

export type Mode = "any" | "public"
type Ip = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Ip, number]

export interface Policy {
  readonly mode: Mode
  readonly hosts: ReadonlySet<string>
  readonly ranges: ReadonlyArray<Range>
}

/** The URL as it is requested, its host without brackets, and the host's address where it is a literal one. */
export interface Endpoint {
  readonly url: URL
  readonly host: string
  readonly isLiteral: boolean
}

export const urlLengthMax = 2048

/** Names that never lead to the public internet (RFC 6761, 6762, 8375, and the private-use `internal`). */
const localNames = ["localhost", "localdomain", "local", "internal", "home.arpa"]

/** Names of instance metadata services outside of these. */
const metadataNames = ["metadata.goog", "metadata.packet.net", "metadata.tencentyun.com"]

/** Instance metadata and host services of cloud machines; some lie within public ranges. */
const metadata: ReadonlyArray<Ip> = [
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
].map((address) => ipaddr.parse(address))

/** Everything outside of it is not assigned to the public internet (RFC 4291). */
const globalUnicast = ipaddr.parseCIDR("2000::/3")

const parseIp = (text: string): Ip | undefined => {
  try {
    return ipaddr.parse(text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text)
  } catch {
    return undefined
  }
}

/** An IPv4 address in IPv6 clothes (`::ffff:a.b.c.d`) is that IPv4 address. */
const unmapped = (ip: Ip): Ip => (ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip)

/** The address that a translator or relay would make of this one: the IPv4 address that it embeds. */
const embedded = (ip: Ip): Ip => {
  const bytes = ip.toByteArray()
  switch (ip.range()) {
    case "ipv4Mapped":
    case "rfc6052":
    case "rfc6145":
      return new ipaddr.IPv4(bytes.slice(12))
    case "6to4":
      return new ipaddr.IPv4(bytes.slice(2, 6))
    default:
      return ip
  }
}

const isMetadata = (ip: Ip): boolean =>
  metadata.some((address) => address.kind() === ip.kind() && `${address.toByteArray()}` === `${ip.toByteArray()}`)

const isWithin = (ip: Ip, [base, bits]: Range): boolean => base.kind() === ip.kind() && ip.match(base, bits)

/**
 * `"public"`, or the name of the range that an address lies in; `undefined` for what is no IP address. Any spelling of an
 * address counts: octal, hexadecimal and decimal IPv4, brackets. IPv6 that embeds IPv4 is not public.
 */
export const classify = (address: string): string | undefined => {
  const ip = parseIp(address)
  if (ip === undefined) return undefined
  if (isMetadata(embedded(ip))) return "metadata"
  if (ip instanceof ipaddr.IPv6 && ip.zoneId !== undefined) return "zoned"
  const range = ip.range()
  if (range !== "unicast") return range
  return ip.kind() === "ipv4" || isWithin(ip, globalUnicast) ? "public" : "reserved"
}

const nameOf = (host: string): string => host.toLowerCase().replace(/\.+$/u, "")

/** A policy; an entry of the allow list that is neither an IP address, a CIDR range nor a host name is a defect. */
export const make = (mode: Mode, allow: ReadonlyArray<string> = []): Policy => {
  const hosts = new Set<string>()
  const ranges: Array<Range> = []
  for (const entry of allow) {
    const ip = parseIp(entry)
    if (ip !== undefined) ranges.push([unmapped(ip), unmapped(ip).toByteArray().length * 8])
    else if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry))
    else if (/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/iu.test(entry)) hosts.add(nameOf(entry))
    else throw new Error(`The allow list of webhook addresses has an entry that is no host, address or range: ${entry}`)
  }
  return { mode, hosts, ranges }
}

const isExempt = (policy: Policy, ip: Ip): boolean => policy.ranges.some((range) => isWithin(unmapped(ip), range))

/** Why a connection to this address, under this host name or as a literal, is refused; `undefined`: it is not. */
export const addressRefusal = (policy: Policy, host: string, address: string): string | undefined => {
  if (policy.mode === "any") return undefined
  const ip = parseIp(address)
  const range = classify(address)
  if (range === "public") return undefined
  if (ip === undefined) return "the address cannot be read"
  if (isExempt(policy, ip)) return undefined
  if (range !== "metadata" && policy.hosts.has(nameOf(host))) return undefined
  return "the address is not on the public internet"
}

const isLocalName = (name: string): boolean =>
  !name.includes(".") ||
  metadataNames.includes(name) ||
  localNames.some((local) => name === local || name.endsWith(`.${local}`))

/** The endpoint of a URL, or why the URL is none. What a reason says never repeats the URL. */
export const parseEndpoint = (policy: Policy, text: string): Result.Result<Endpoint, string> => {
  if (text.length > urlLengthMax) return Result.fail(`the URL is longer than ${urlLengthMax} characters`)
  // The URL parser drops white space and control characters silently.
  if (/[\s\p{Cc}]/u.test(text)) return Result.fail("the URL has white space or control characters")
  if (!URL.canParse(text)) return Result.fail("it is not a URL")
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") return Result.fail("the scheme is neither https nor http")
  if (url.username !== "" || url.password !== "") return Result.fail("the URL contains credentials")
  if (text.includes("#")) return Result.fail("the URL has a fragment")
  const host = url.hostname.replace(/^\[(.*)\]$/u, "$1")
  const ip = parseIp(host)
  const endpoint = { url, host, isLiteral: ip !== undefined }
  if (policy.mode === "any") return Result.succeed(endpoint)
  if (ip !== undefined) {
    const refusal = addressRefusal(policy, host, host)
    if (refusal !== undefined) return Result.fail(refusal)
  }
  const isAllowed = ip === undefined ? policy.hosts.has(nameOf(host)) : isExempt(policy, ip)
  if (ip === undefined && !isAllowed && isLocalName(nameOf(host))) return Result.fail("the host name is local")
  if (url.protocol === "http:" && !isAllowed) return Result.fail("the scheme is not https")
  return Result.succeed(endpoint)
}
