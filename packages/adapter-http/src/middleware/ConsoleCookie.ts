/**
 * The cookie of a console session. Scripts cannot read it, no other site's request carries it, and over https the browser binds it to
 * this host (`__Host-`). Without https it exists on a loopback address only.
 * Source: D-352; RFC 6265bis.
 */
import { Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { isLoopback, ownOrigins } from "./PublicUrl.ts"

type Request = HttpServerRequest.HttpServerRequest

const secureName = "__Host-console-session"
const localName = "console-session"

/** Whether the service is reached over https; `undefined` if neither https nor a loopback address is known. */
const isSecure = (request: Request, publicUrl: string | undefined): boolean | undefined => {
  const [origin] = ownOrigins(request, publicUrl)
  const url = URL.parse(origin ?? "")
  if (url?.protocol === "https:") return true
  return url !== null && isLoopback(url.hostname) ? false : undefined
}

/** Whether sessions can exist: a cookie needs https or a loopback address. */
export const canKeepSessions = (request: Request, publicUrl: string | undefined): boolean =>
  isSecure(request, publicUrl) !== undefined

/** Returns the session's secret. A name without the prefix counts on a loopback address only: over https another host could set it. */
export const sessionSecret = (request: Request, publicUrl: string | undefined): Redacted.Redacted | undefined => {
  if (request.headers["cookie"] === undefined) return undefined
  const secure = isSecure(request, publicUrl)
  if (secure === undefined) return undefined
  const value = request.cookies[secure ? secureName : localName]
  return value === undefined || value === "" ? undefined : Redacted.make(value)
}

const setCookie = (
  request: Request,
  publicUrl: string | undefined,
  response: HttpServerResponse.HttpServerResponse,
  value: string,
  maxAgeSeconds: number,
): HttpServerResponse.HttpServerResponse => {
  const secure = isSecure(request, publicUrl) === true
  return HttpServerResponse.setCookieUnsafe(response, secure ? secureName : localName, value, {
    httpOnly: true,
    sameSite: "strict",
    secure,
    path: "/",
    maxAge: maxAgeSeconds * 1000,
  })
}

export const withSession = (
  request: Request,
  publicUrl: string | undefined,
  response: HttpServerResponse.HttpServerResponse,
  secret: Redacted.Redacted,
  seconds: number,
) => setCookie(request, publicUrl, response, Redacted.value(secret), seconds)

export const withoutSession = (
  request: Request,
  publicUrl: string | undefined,
  response: HttpServerResponse.HttpServerResponse,
) => setCookie(request, publicUrl, response, "", 0)
