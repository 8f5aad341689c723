/**
 * The routes outside the interface: health, readiness, the webhook key, the OpenAPI document and its pages.
 * Source: wire contract 6.2 (the deployment serves the public key); D-440.
 */

import { Api, LiveApi } from "@countersign/client/api"
import { respellText, spellingsOf } from "@countersign/core/models"
import { serviceNameOf, WireNames } from "@countersign/core/ports"
import { Context, Effect } from "effect"
import { HttpRouter } from "effect/http"
import { OpenApi } from "effect/http-api"
import type { Route } from "../middleware/MethodTable.ts"
import * as Documents from "./Documents.ts"
import type { DocumentOptions } from "./DocumentTexts.ts"
import * as OfferedCredentials from "./OfferedCredentials.ts"
import { addProcessRoutes, processRoutes } from "./ProcessRoutes.ts"
import * as ReferencePage from "./ReferencePage.ts"
import * as SitePages from "./SitePages.ts"
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
  ...(SitePages.isThere() ? Object.values(SitePages.paths).map((path) => ({ method: "GET", path }) as const) : []),
  ...ReferencePage.assets.map(({ path }) => ({ method: "GET", path }) as const),
]

/** Of the page without scripts: blocks scripts, external resources and framing. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

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

/** Makes the documents once, at the first request for one of them. */
export const layer = (
  options: Omit<DocumentOptions, "serviceName">,
  credentials?: OfferedCredentials.OfferedCredentials,
) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const serviceName = serviceNameOf(yield* WireNames)
      const spellings = spellingsOf(serviceName)
      let made: Promise<Documents.Documents> | undefined
      const documents = () => (made ??= Documents.make({ ...options, serviceName }))
      const title = Context.getUnsafe((options.isLive ? LiveApi : Api).annotations, OpenApi.Title)
      const plainPage = {
        contentType: html,
        headers: pageHeaders(contentSecurityPolicy),
        content: async () => (await documents()).page,
      }
      const interactivePage = {
        contentType: html,
        headers: pageHeaders(ReferencePage.contentSecurityPolicy),
        content: () => ReferencePage.make(respellText(title, spellings)),
      }

      yield* addProcessRoutes(router)
      yield* router.add(
        "GET",
        "/openapi.json",
        StaticDocument.make({ contentType: "application/json", content: async () => (await documents()).document }),
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
        StaticDocument.make({ contentType: "application/json", content: async () => (await documents()).samples }),
      )
      yield* router.add("GET", "/docs/credentials.json", OfferedCredentials.answer(credentials))
      if (SitePages.isThere()) yield* router.add("GET", SitePages.paths.route, SitePages.make())
      for (const asset of ReferencePage.assets) yield* router.add("GET", asset.path, assetRoute(asset))
    }),
  )
