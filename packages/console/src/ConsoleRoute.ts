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

/** For the `pages` of a web handler. */
export const consolePage = { route, layer }
