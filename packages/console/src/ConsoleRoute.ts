/**
 * The console, where a deployment serves it: one document beside the interface that it calls.
 * Source: D-214.
 */

import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type ConsoleMode, consoleDocument, consoleHeaders } from "./Document.ts"

/** Compressed with what every runtime has. */
const gzipped = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer())

/** Whether the client reads gzip; a weight of 0 excludes it. */
const readsGzip = (acceptEncoding = ""): boolean =>
  acceptEncoding.split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
    return name === "gzip" && !parameters.some((parameter) => /^q=0(?:\.0*)?$/u.test(parameter))
  })

const layerOf = (path: "/" | "/console", mode: ConsoleMode) => (basePath: string) => {
  const document = consoleDocument(basePath, mode)
  let compressed: Promise<Uint8Array> | undefined
  return HttpRouter.add(
    "GET",
    path,
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const headers = { ...consoleHeaders, vary: "Accept-Encoding" }
      const contentType = "text/html; charset=utf-8"
      if (!readsGzip(request.headers["accept-encoding"]))
        return HttpServerResponse.text(document, { contentType, headers })
      const bytes = yield* Effect.promise(() => (compressed ??= gzipped(document)))
      return HttpServerResponse.uint8Array(bytes, { contentType, headers: { ...headers, "content-encoding": "gzip" } })
    }),
  )
}

/** Who can sign in to a console, what it shows, and where it is. */
export interface ConsolePageOptions {
  /** Whether approvers sign in with a passkey, which they register at their first sign-in. */
  readonly passkeys: "off" | "required"
  /** Which areas the page has. Default: `live`, the approvals and their history. */
  readonly mode?: ConsoleMode
  /** Where the page lies. Default: `/console`. */
  readonly path?: "/" | "/console"
}

/** For the `pages` of a web handler. */
export const consolePageOf = ({ mode = "live", passkeys, path = "/console" }: ConsolePageOptions) => ({
  route: { method: "GET", path } as const,
  layer: layerOf(path, mode),
  sessions: { passkeys },
})

/** The page, with sign-in by the platform's credentials and the approver's name. */
export const consolePage = consolePageOf({ passkeys: "off" })
