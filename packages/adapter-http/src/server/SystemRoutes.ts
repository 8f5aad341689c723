/**
 * The routes outside the interface: health, readiness, the webhook key, the OpenAPI document and its page.
 * Source: wire contract 6.2 (the deployment serves the public key).
 */

import { spellingsOf } from "@countersign/core/models"
import { serviceNameOf, WireNames } from "@countersign/core/ports"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { Route } from "../middleware/MethodTable.ts"
import * as DocsPage from "./DocsPage.ts"
import type * as OpenApiDocument from "./OpenApiDocument.ts"
import { addProcessRoutes, processRoutes } from "./ProcessRoutes.ts"
import { spelledDocument } from "./SpelledDocument.ts"
import * as StaticDocument from "./StaticDocument.ts"

/** The routes, which ignore the base path. */
export const systemRoutes: ReadonlyArray<Route> = [
  ...processRoutes,
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/docs" },
]

/** Blocks scripts, external resources and framing. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Calls `makeDocument` once, at the first request for the document or its page. */
export const layer = (makeDocument: () => OpenApiDocument.JsonObject) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const spellings = spellingsOf(serviceNameOf(yield* WireNames))
      let cachedDocument: OpenApiDocument.JsonObject | undefined
      const document = () => (cachedDocument ??= spelledDocument(makeDocument(), spellings))

      yield* addProcessRoutes(router)
      yield* router.add(
        "GET",
        "/openapi.json",
        StaticDocument.make({ contentType: "application/json", text: () => JSON.stringify(document()) }),
      )
      yield* router.add(
        "GET",
        "/docs",
        StaticDocument.make({
          contentType: "text/html; charset=utf-8",
          headers: { "content-security-policy": contentSecurityPolicy, "referrer-policy": "no-referrer" },
          text: () => DocsPage.make(document(), spellings),
        }),
      )
    }),
  )
