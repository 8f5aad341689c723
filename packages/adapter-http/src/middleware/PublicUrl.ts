/**
 * The address under which the service is reached: as configured, else the address that it listens on. Headers of a request, such as `Host`,
 * are the caller's and decide nothing.
 * Source: D-349.
 */
import { Context } from "effect"
import type { HttpServerRequest } from "effect/http"
import { receivedSource } from "./ReceivedSource.ts"

/** The configured address, without a final slash. `undefined`: the listening address. */
export const PublicUrl = Context.Reference<string | undefined>("@countersign/adapter-http/PublicUrl", {
  defaultValue: () => undefined,
})

/** The address in URLs of a handler without a configured address that does not know where it listens. */
const unknownUrl = "http://localhost"

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/iu, "")

/** Whether a host name or address reaches this machine only: `localhost`, `::1`, or an address of 127.0.0.0/8, mapped to IPv6 or not. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/u.test(unmapped(host))

/** The names of the machine itself that reach a loopback address. */
const loopbackHosts = ["127.0.0.1", "localhost", "[::1]"]

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** The origins of the socket that received a `node:http` request; empty for requests of the Fetch API. */
const listeningOrigins = (request: HttpServerRequest.HttpServerRequest): ReadonlyArray<string> => {
  const socket = memberOf(receivedSource(request), "socket")
  const localAddress = memberOf(socket, "localAddress")
  if (typeof localAddress !== "string") return []
  const address = unmapped(localAddress)
  const localPort = String(memberOf(socket, "localPort"))
  const scheme = memberOf(socket, "encrypted") === true ? "https" : "http"
  const hosts = isLoopback(address) ? [address, ...loopbackHosts] : [address]
  return hosts.flatMap((host) => {
    const url = URL.parse(
      `${scheme}://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${localPort}`,
    )
    return url === null ? [] : [url.origin]
  })
}

/** The origins of the service's own pages; empty if they are not known. */
export const ownOrigins = (
  request: HttpServerRequest.HttpServerRequest,
  publicUrl: string | undefined,
): ReadonlyArray<string> => (publicUrl === undefined ? listeningOrigins(request) : [new URL(publicUrl).origin])

/** The address that URLs in answers begin with. */
export const publicUrlOf = (request: HttpServerRequest.HttpServerRequest, publicUrl: string | undefined): string =>
  publicUrl ?? listeningOrigins(request)[0] ?? unknownUrl

/** Whether a text is an http or https address without credentials, query and fragment. */
export const isPublicUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    `${url.username}${url.password}${url.search}${url.hash}` === ""
  )
}

/** Normalizes an address: no final slash. */
export const normalizedUrl = (text: string): string => new URL(text).href.replace(/\/+$/u, "")
