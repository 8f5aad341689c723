/**
 * The approvals page, where a deployment serves it: one document beside the interface that it calls.
 * Source: D-214.
 */

import { HttpRouter, HttpServerResponse } from "effect/http"
import { consoleDocument, consoleHeaders } from "./Document.ts"

const route = { method: "GET", path: "/console" } as const

const layer = (basePath: string) =>
  HttpRouter.add(
    "GET",
    "/console",
    HttpServerResponse.text(consoleDocument(basePath), {
      contentType: "text/html; charset=utf-8",
      headers: consoleHeaders,
    }),
  )

/** For the `pages` of a web handler. `passkeys`: whether approvers sign in with a passkey, which they register at their first sign-in. */
export const consolePageOf = ({ passkeys }: { readonly passkeys: "off" | "required" }) => ({
  route,
  layer,
  sessions: { passkeys },
})

/** The page, with sign-in by the platform's credentials and the approver's name. */
export const consolePage = consolePageOf({ passkeys: "off" })
