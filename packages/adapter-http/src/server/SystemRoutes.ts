/**
 * The routes beside the interface: health, readiness, the webhook key, the OpenAPI document and its page.
 * Source: wire contract 6.2 (the deployment serves the public key).
 */

import { WebhookSigner } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Route } from "../middleware/MethodTable.ts"
import * as DocsPage from "./DocsPage.ts"
import type * as OpenApiDocument from "./OpenApiDocument.ts"

/** Their paths, outside of the base path. */
export const systemRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/healthz" },
  { method: "GET", path: "/readyz" },
  { method: "GET", path: "/webhooks/public-key" },
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/docs" },
]

/** Nothing is loaded from anywhere, no script runs, and no other site may frame the page. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const unready = HttpServerResponse.jsonUnsafe(
  { status: "unavailable" },
  { status: 503, headers: { "retry-after": "1" } },
)

/** `makeDocument` is called once, when the document or its page is first asked for. */
export const layer = (makeDocument: () => OpenApiDocument.JsonObject) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const store = yield* Store
      const signer = yield* WebhookSigner
      let document: OpenApiDocument.JsonObject | undefined
      const documentOnce = () => (document ??= makeDocument())
      let page: string | undefined
      const pageOnce = () => (page ??= DocsPage.make(documentOnce()))

      yield* router.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" }))
      yield* router.add(
        "GET",
        "/readyz",
        Effect.match(store.ready, {
          onFailure: () => unready,
          onSuccess: () => HttpServerResponse.jsonUnsafe({ status: "ready" }),
        }),
      )
      yield* router.add(
        "GET",
        "/webhooks/public-key",
        HttpServerResponse.text(signer.publicKey, { contentType: "application/x-pem-file" }),
      )
      yield* router.add(
        "GET",
        "/openapi.json",
        Effect.sync(() => HttpServerResponse.jsonUnsafe(documentOnce())),
      )
      yield* router.add(
        "GET",
        "/docs",
        Effect.sync(() =>
          HttpServerResponse.text(pageOnce(), {
            contentType: "text/html; charset=utf-8",
            headers: { "content-security-policy": contentSecurityPolicy, "referrer-policy": "no-referrer" },
          }),
        ),
      )
    }),
  )
