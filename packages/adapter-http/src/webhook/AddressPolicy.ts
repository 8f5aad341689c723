/**
 * The addresses to which webhooks may be sent, so that a platform's endpoint cannot reach the deployment's internal network.
 * Source: wire contract 6.2. Pure: the transport resolves names and checks every resolved address here.
 *
 * "any" allows every http and https address. "public" requires https and addresses of the public internet. A host name in the allow list is
 * exempt from both. An IP address or CIDR range in it exempts the addresses, and the scheme too if the URL contains the address literally.
 * Addresses of instance metadata need their own entry: an allowed host name does not exempt them.
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

/** The requested URL, its host without brackets, and whether the host is a literal address. */
export interface Endpoint {
  readonly url: URL
  readonly host: string
  readonly isLiteral: boolean
}

export const urlLengthMax = 2048

/** Names that never resolve to the public internet (RFC 6761, 6762, 8375, and the private-use `internal`). */
const localNames = ["localhost", "localdomain", "local", "internal", "home.arpa"]

/** Names of instance metadata services that are not local names. */
const metadataNames = ["metadata.goog", "metadata.packet.net", "metadata.tencentyun.com"]

/** Addresses of instance metadata and host services of cloud machines. Some are in public ranges. */
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

/** The IPv6 range that is assigned to the public internet (RFC 4291). */
const globalUnicast = ipaddr.parseCIDR("2000::/3")

const parseIp = (text: string): Ip | undefined => {
  try {
    return ipaddr.parse(text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text)
  } catch {
    return undefined
  }
}

/** Converts an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`) to IPv4. */
const unmapped = (ip: Ip): Ip => (ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip)

/** Returns the IPv4 address embedded in an address that a translator or relay maps to IPv4; otherwise the address itself. */
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
 * Returns `"public"` or the name of the address's range; `undefined` for a text that is not an IP address. Every notation is accepted:
 * octal, hexadecimal and decimal IPv4, brackets. IPv6 that embeds IPv4 is not public.
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

const isHostName = (entry: string): boolean => /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/iu.test(entry)

/** Returns the entries of an allow list that are neither an IP address, a CIDR range nor a host name. */
export const invalidEntries = (allow: ReadonlyArray<string>): ReadonlyArray<string> =>
  allow.filter((entry) => parseIp(entry) === undefined && !ipaddr.isValidCIDR(entry) && !isHostName(entry))

/** Returns a policy. Throws if an entry of the allow list is neither an IP address, a CIDR range nor a host name. */
export const make = (mode: Mode, allow: ReadonlyArray<string> = []): Policy => {
  const hosts = new Set<string>()
  const ranges: Array<Range> = []
  for (const entry of allow) {
    const ip = parseIp(entry)
    if (ip !== undefined) ranges.push([unmapped(ip), unmapped(ip).toByteArray().length * 8])
    else if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry))
    else if (isHostName(entry)) hosts.add(nameOf(entry))
    else throw new Error(`The allow list of webhook addresses has an entry that is no host, address or range: ${entry}`)
  }
  return { mode, hosts, ranges }
}

const isExempt = (policy: Policy, ip: Ip): boolean => policy.ranges.some((range) => isWithin(unmapped(ip), range))

/** Returns the reason for refusing a connection to `address`, resolved from `host` or literal; `undefined` if it is allowed. */
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

/** Parses a webhook URL; fails with the reason, which never contains the URL. */
export const parseEndpoint = (policy: Policy, text: string): Result.Result<Endpoint, string> => {
  if (text.length > urlLengthMax) return Result.fail(`the URL is longer than ${urlLengthMax} characters`)
  // The URL parser removes white space and control characters silently.
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
