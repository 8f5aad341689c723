/**
 * The console, where a deployment serves it: one document beside the interface that it calls.
 * Source: D-214.
 */

import { HttpRouter, HttpServerResponse } from "effect/http"
import { type ConsoleMode, consoleDocument, consoleHeaders } from "./Document.ts"

const layerOf = (path: "/" | "/console", mode: ConsoleMode) => (basePath: string) =>
  HttpRouter.add(
    "GET",
    path,
    HttpServerResponse.text(consoleDocument(basePath, mode), {
      contentType: "text/html; charset=utf-8",
      headers: consoleHeaders,
    }),
  )

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
