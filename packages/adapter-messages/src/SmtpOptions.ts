/**
 * Where the mail server is, how the adapter signs in, and as whom it sends.
 * Source: D-528.
 */
import type { Redacted } from "effect"
import { domainOf, isEmailAddress, isLoopback, oneLine } from "./Addresses.ts"

export interface SmtpOptions {
  readonly host: string
  /** Default: 465 for `tls`, 587 otherwise. */
  readonly port?: number
  /**
   * `tls` encrypts from the first byte, `starttls` (the default) before anything else is sent. `none` is for a server of the same machine. A
   * certificate that is not trusted ends the connection in each case.
   */
  readonly security?: "tls" | "starttls" | "none"
  /** Certificates of authorities (PEM) that are trusted instead of those of Node. */
  readonly ca?: string
  readonly auth?: { readonly user: string; readonly password: Redacted.Redacted }
  /** The sender. */
  readonly from: { readonly address: string; readonly name?: string }
  /**
   * Domains that the server may send for. A platform whose `sendFromEmailAddress` is at another one gets it as the address for replies.
   * Default: the domain of `from`.
   */
  readonly senderDomains?: ReadonlyArray<string>
  /** Connections at most; further messages wait. Default: 5. */
  readonly connectionsMax?: number
  /** Longest silence of the server, and the life of an idle connection (milliseconds). Default: 8 seconds. */
  readonly timeoutMillis?: number
  /** Longest time for a message with all attempts (milliseconds). Default: 10 seconds. */
  readonly deadlineMillis?: number
}

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536

const isPositive = (value: number | undefined): boolean => value === undefined || (Number.isFinite(value) && value > 0)

/** Returns what is wrong with options; it never contains a secret. */
export const problemOf = (options: SmtpOptions): string | undefined => {
  const { auth, connectionsMax, deadlineMillis, from, host, port, security = "starttls", timeoutMillis } = options
  if (!/^[\w.:-]+$/u.test(host)) return "`host` must be a host name or an address."
  if (port !== undefined && !isPort(port)) return "`port` must be a whole number from 1 to 65535."
  if (!isEmailAddress(from.address)) return "`from.address` must be an e-mail address."
  if (security === "none" && !isLoopback(host)) return "`security` may be `none` for a server of this machine only."
  if (auth !== undefined && auth.user === "") return "`auth.user` must not be empty."
  if (connectionsMax !== undefined && !(Number.isInteger(connectionsMax) && connectionsMax > 0)) {
    return "`connectionsMax` must be a positive whole number."
  }
  return isPositive(timeoutMillis) && isPositive(deadlineMillis) ? undefined : "Time limits must be positive."
}

export interface Sender {
  readonly from: { readonly address: string; readonly name: string }
  readonly replyTo: string | undefined
}

/** Returns as whom a message is sent. An address of a foreign domain would be refused by its receivers, or deceive them. */
export const senderOf = (
  { from, senderDomains }: SmtpOptions,
  requested: { readonly address?: string; readonly name?: string } = {},
  replyTo?: string,
): Sender => {
  const domains = (senderDomains ?? [domainOf(from.address)]).map((domain) => domain.toLowerCase())
  const valid = (address: string | undefined) =>
    address !== undefined && isEmailAddress(address) ? address : undefined
  const address = valid(requested.address)
  const isAllowed = address !== undefined && domains.includes(domainOf(address))
  return {
    from: { address: isAllowed ? address : from.address, name: oneLine(requested.name ?? from.name ?? "") },
    replyTo: valid(replyTo) ?? (isAllowed ? undefined : address),
  }
}
