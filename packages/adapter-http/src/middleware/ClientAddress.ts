/**
 * The address of a request's client: the peer of its connection, or what a trusted proxy reports in `X-Forwarded-For`.
 * Source: D-314. The one place that decides it, for limits by address.
 */
import { Context, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import ipaddr from "ipaddr.js"

type Ip = ipaddr.IPv4 | ipaddr.IPv6

interface Range {
  readonly base: Ip
  readonly bits: number
}

/** Whose word counts for the address of a request's client. Source: D-314. */
export interface ClientAddressOptions {
  /**
   * Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is believed, such as `10.0.0.0/8`. Each of them must append the address of
   * its own client. Default: none, so the client is the peer of the connection.
   */
  readonly trustedProxies?: ReadonlyArray<string> | undefined
}

export interface ClientAddress {
  /** Whether an address belongs to a trusted proxy. */
  readonly isTrusted: (address: string) => boolean
  /** Returns the client's address from the peer's address and the `X-Forwarded-For` header. */
  readonly of: (peer: string | undefined, forwardedFor: string | undefined) => string | undefined
}

/** How many proxies may stand between a client and the service. */
const hopsMax = 32

const isIpv4 = (text: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/u.test(text)

const parse = (text: string): Ip | undefined => {
  try {
    return ipaddr.process(text.replace(/%.*$/u, ""))
  } catch {
    return undefined
  }
}

/** Returns an address in one notation: IPv4-mapped IPv6 as IPv4, IPv6 in its short form, without a zone. */
const canonical = (address: string): string => {
  const mapped = address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address
  return isIpv4(mapped) ? mapped : (parse(address)?.toString() ?? address)
}

/** Parses an entry of `X-Forwarded-For`, which may have a port: `203.0.113.7:443`, `[2001:db8::1]:443`. */
const parseHop = (entry: string): Ip | undefined => {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/u.exec(entry) ?? []
  const text = bracketed ?? plain ?? entry
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? parse(text) : undefined
}

const rangeOf = (entry: string): Range | undefined => {
  const ip = parse(entry)
  if (ip !== undefined) return { base: ip, bits: ip.toByteArray().length * 8 }
  if (!ipaddr.isValidCIDR(entry)) return undefined
  const [base, bits] = ipaddr.parseCIDR(entry)
  return { base, bits }
}

/** Returns the entries that are neither an address nor a CIDR range. */
export const invalidProxies = (entries: ReadonlyArray<string>): ReadonlyArray<string> =>
  entries.filter((entry) => rangeOf(entry) === undefined)

/** Throws if an entry of `trustedProxies` is neither an address nor a CIDR range. */
export const make = ({ trustedProxies = [] }: ClientAddressOptions = {}): ClientAddress => {
  const [invalid] = invalidProxies(trustedProxies)
  if (invalid !== undefined) throw new Error(`a trusted proxy must be an address or a CIDR range: ${invalid}`)
  const ranges = trustedProxies.flatMap((entry) => rangeOf(entry) ?? [])
  const isWithin = (ip: Ip): boolean =>
    ranges.some(({ base, bits }) => base.kind() === ip.kind() && ip.match(base, bits))
  const isTrusted = (address: string): boolean => {
    const ip = ranges.length === 0 ? undefined : parse(address)
    return ip !== undefined && isWithin(ip)
  }

  /** The last address that a trusted proxy reports and that is no trusted proxy itself. Entries before it may be forged. */
  const reported = (proxy: string, forwardedFor: string): string => {
    let client = proxy
    for (const entry of forwardedFor.split(",").slice(-hopsMax).reverse()) {
      const ip = parseHop(entry.trim())
      if (ip === undefined) return client
      client = ip.toString()
      if (!isWithin(ip)) return client
    }
    return client
  }

  return {
    isTrusted,
    of: (peer, forwardedFor) => {
      if (peer === undefined) return undefined
      return forwardedFor !== undefined && isTrusted(peer) ? reported(canonical(peer), forwardedFor) : canonical(peer)
    },
  }
}

/** The client's address of a Fetch API request, which has none itself: the caller of the web handler passes it. */
const Passed = Context.Reference<string | undefined>("@countersign/adapter-http/ClientAddress", {
  defaultValue: () => undefined,
})

/** The services of a request whose client's address the caller of the web handler knows. */
export const contextOf = (address: string | undefined): Context.Context<never> => Context.make(Passed, address)

/** The client's address of the current request; `undefined` if the embedding program passes none. */
export const current: Effect.Effect<string | undefined, never, HttpServerRequest.HttpServerRequest> = Effect.withFiber(
  (fiber) =>
    Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
      Option.getOrElse(remoteAddress, () => fiber.getRef(Passed)),
    ),
)

/** What counts as one source: an IPv4 address, or the /64 network of an IPv6 address, which one subscriber has. */
export const sourceOf = (address: string): string => {
  const ip = isIpv4(address) ? undefined : parse(address)
  return ip instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.toString()}/64`).toString()}/64`
    : address
}
