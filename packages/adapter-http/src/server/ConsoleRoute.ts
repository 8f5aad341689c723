/**
 * The approvals page, where a deployment serves it: one document beside the interface that it calls.
 * Source: D-214.
 */
import { consoleDocument, consoleHeaders } from "@countersign/console"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Route } from "../middleware/MethodTable.ts"

export const consoleRoute: Route = { method: "GET", path: "/console" }

export const layer = (basePath: string) =>
  HttpRouter.add(
    "GET",
    "/console",
    HttpServerResponse.text(consoleDocument(basePath), {
      contentType: "text/html; charset=utf-8",
      headers: consoleHeaders,
    }),
  )
