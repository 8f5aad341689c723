/**
 * Refuses changes that a page of another site makes a browser send. A browser attaches cookies and cached credentials by itself, so they
 * prove nothing about who wants the change: the request must come from a page of the service, or from a program.
 * Source: D-350, D-423; W3C Fetch Metadata, RFC 6454 (Origin).
 */
import type { Refusal } from "@countersign/core"
import type { HttpServerRequest } from "effect/http"
import { ownOrigins } from "./PublicUrl.ts"

type Request = HttpServerRequest.HttpServerRequest

const safeMethods: ReadonlyArray<string> = ["GET", "HEAD", "OPTIONS"]

/** The content type of a form with files, which an upload must have. */
const filesType = "multipart/form-data"

/** The content types that a form of any site can send without asking the service first. */
const formTypes: ReadonlyArray<string> = ["application/x-www-form-urlencoded", filesType, "text/plain"]

const typeOf = ({ headers }: Request): string =>
  ((headers["content-type"] ?? "").split(";")[0] ?? "").trim().toLowerCase()

/** Browsers send an origin with every form. One that is old, or set up to hide origins, still names itself. */
const hidesOrigin = ({ headers }: Request): boolean =>
  headers["origin"] === undefined &&
  headers["sec-fetch-site"] === undefined &&
  /^Mozilla\//u.test(headers["user-agent"] ?? "")

const isOwnPage = (request: Request, publicUrl: string | undefined): boolean => {
  const { origin, "sec-fetch-site": site } = request.headers
  if (site !== undefined && site !== "same-origin" && site !== "none") return false
  if (origin === undefined) return true
  const own = ownOrigins(request, publicUrl)
  return own.length === 0 ? site === "same-origin" : own.includes(origin)
}

/**
 * Whether a page of the service certainly sent the request: what a cookie authorizes needs the own origin for a change, and no other site
 * for a read.
 */
export const isCertainlyOwnPage = (request: Request, publicUrl: string | undefined): boolean => {
  const { origin, "sec-fetch-site": site } = request.headers
  if (site !== undefined && site !== "same-origin") return false
  if (origin === undefined) return safeMethods.includes(request.method)
  return ownOrigins(request, publicUrl).includes(origin)
}

export const crossSite: Refusal = {
  code: "FORBIDDEN",
  message: "A browser may send this request from the service's own pages only.",
  details: { reason: "CROSS_SITE_REQUEST" },
}
const form: Refusal = {
  code: "FORBIDDEN",
  message: "Content-Type must be application/json: a page of any site can send forms.",
  details: { reason: "FORM_CONTENT_TYPE" },
}

/** The refusal of a change that another site may have caused. An upload must be a form: where it comes from decides. */
export const browserRefusal = (
  request: Request,
  publicUrl: string | undefined,
  isUpload: boolean,
): Refusal | undefined => {
  if (safeMethods.includes(request.method)) return undefined
  if (!isOwnPage(request, publicUrl)) return crossSite
  const type = typeOf(request)
  if (isUpload && type === filesType) return hidesOrigin(request) ? crossSite : undefined
  return formTypes.includes(type) ? form : undefined
}

/** Whether a browser sent the request: it would keep Basic credentials, and attach them to the requests of any site. */
export const isFromBrowser = ({ headers }: Request): boolean =>
  headers["sec-fetch-site"] !== undefined ||
  headers["origin"] !== undefined ||
  /\btext\/html\b/iu.test(headers["accept"] ?? "")
