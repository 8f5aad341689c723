/**
 * The routes outside the interface: health, readiness, the webhook key, the OpenAPI document and its pages.
 * Source: wire contract 6.2 (the deployment serves the public key); D-440.
 */

import { Api, endpointsOf } from "@countersign/client/api"
import { respellText, spellingsOf } from "@countersign/core/models"
import { serviceNameOf, WireNames } from "@countersign/core/ports"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { Route } from "../middleware/MethodTable.ts"
import { codeSamples } from "./CodeSamples.ts"
import * as DocsPage from "./DocsPage.ts"
import { at, text } from "./Json.ts"
import * as OfferedCredentials from "./OfferedCredentials.ts"
import type * as OpenApiDocument from "./OpenApiDocument.ts"
import { addProcessRoutes, processRoutes } from "./ProcessRoutes.ts"
import * as ReferencePage from "./ReferencePage.ts"
import { spelledDocument } from "./SpelledDocument.ts"
import * as StaticDocument from "./StaticDocument.ts"

/** The routes, which ignore the base path. */
export const systemRoutes: ReadonlyArray<Route> = [
  ...processRoutes,
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/docs" },
  { method: "GET", path: "/docs/static" },
  { method: "GET", path: "/docs/guide" },
  { method: "GET", path: "/docs/samples.json" },
  { method: "GET", path: "/docs/credentials.json" },
  ...ReferencePage.assets.map(({ path }) => ({ method: "GET", path }) as const),
]

/** Of the page without scripts: blocks scripts, external resources and framing. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The typed client's group of each operation. */
const groups = new Map(endpointsOf(Api).map(({ endpoint, group }) => [endpoint.identifier, group]))
const groupOf = (id: string): string => groups.get(id) ?? ""

const html = "text/html; charset=utf-8"
const pageHeaders = (policy: string) => ({ "content-security-policy": policy, "referrer-policy": "no-referrer" })

const assetRoute = ({ contentType, isCompressed, isImmutable, read }: ReferencePage.Asset) =>
  StaticDocument.make({
    contentType,
    isImmutable,
    headers: { "x-content-type-options": "nosniff" },
    content: async () => {
      const bytes = await read()
      return isCompressed ? { brotli: bytes } : bytes.toString()
    },
  })

/** Calls `makeDocument` once, at the first request for the document or its pages. */
export const layer = (
  makeDocument: () => OpenApiDocument.JsonObject,
  credentials?: OfferedCredentials.OfferedCredentials,
) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const spellings = spellingsOf(serviceNameOf(yield* WireNames))
      let cachedDocument: OpenApiDocument.JsonObject | undefined
      const document = () => (cachedDocument ??= spelledDocument(makeDocument(), spellings))
      const plainPage = {
        contentType: html,
        headers: pageHeaders(contentSecurityPolicy),
        content: () => DocsPage.make(document(), spellings),
      }
      const interactivePage = {
        contentType: html,
        headers: pageHeaders(ReferencePage.contentSecurityPolicy),
        content: () => ReferencePage.make(text(at(document(), "info", "title"))),
      }

      yield* addProcessRoutes(router)
      yield* router.add(
        "GET",
        "/openapi.json",
        StaticDocument.make({ contentType: "application/json", content: () => JSON.stringify(document()) }),
      )
      yield* router.add("GET", "/docs", StaticDocument.make(ReferencePage.hasAssets() ? interactivePage : plainPage))
      yield* router.add("GET", "/docs/static", StaticDocument.make(plainPage))
      yield* router.add(
        "GET",
        "/docs/guide",
        StaticDocument.make({
          contentType: html,
          headers: pageHeaders(contentSecurityPolicy),
          content: async () => respellText(await ReferencePage.readGuide(), spellings),
        }),
      )
      yield* router.add(
        "GET",
        "/docs/samples.json",
        StaticDocument.make({
          contentType: "application/json",
          content: () => JSON.stringify(codeSamples(document(), groupOf)),
        }),
      )
      yield* router.add("GET", "/docs/credentials.json", OfferedCredentials.answer(credentials))
      for (const asset of ReferencePage.assets) yield* router.add("GET", asset.path, assetRoute(asset))
    }),
  )
