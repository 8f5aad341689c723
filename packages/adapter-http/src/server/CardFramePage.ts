/**
 * The page that shows a sandbox card to its cardholder in a frame of the platform's page. Its data is clearly fake.
 * Spec: 4.4; wire contract 3.4 and 11 (48); D-179.
 */
import { WebhookSigner } from "@countersign/core/ports"
import { framePath, openFrame, testCard } from "@countersign/core/sandbox"
import { Clock, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Route } from "../middleware/MethodTable.ts"

export const cardFrameRoutes: ReadonlyArray<Route> = [{ method: "GET", path: framePath }]

/** Blocks scripts and resources. Pages over HTTPS and local pages over HTTP may frame the page. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox; frame-ancestors https: http://localhost:* http://127.0.0.1:*"

const style =
  "body{font:16px/1.4 ui-monospace,monospace;margin:0;padding:16px;color:#111;background:#fff}dl{display:grid;grid-template-columns:auto 1fr;gap:4px 16px;margin:0}dd{margin:0}p{margin:0 0 12px;font-weight:bold}"

const page = (status: number, title: string, body: string) =>
  HttpServerResponse.text(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head><body>${body}</body></html>`,
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": contentSecurityPolicy,
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "cross-origin-resource-policy": "cross-origin",
      },
    },
  )

const refused = (reason: string) => page(403, "Not shown", `<p>${reason}</p>`)

const twoDigits = (number: number) => String(number).padStart(2, "0")

/** The route of the page. Only a sandbox serves it. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { publicKey } = yield* WebhookSigner
    yield* router.add(
      "GET",
      framePath,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const url = Option.getOrUndefined(HttpServerRequest.toURL(request))
        const now = yield* Clock.currentTimeMillis
        const opened = openFrame(publicKey, new Map(url?.searchParams.entries()), now)
        if (opened._tag === "Altered") return refused("This address is not valid.")
        if (opened._tag === "Expired") return refused("This address has expired. Ask for a new one.")
        const { cardId, expMonth, expYear } = opened.frame
        const { number, securityCode } = testCard(cardId)
        return page(
          200,
          "Test card",
          `<p>TEST CARD: no real account, no real money</p><dl><dt>Number</dt><dd id="pan">${number.replace(/(\d{4})(?=\d)/gu, "$1 ")}</dd><dt>Expires</dt><dd id="expiry">${twoDigits(expMonth)}/${expYear}</dd><dt>Code</dt><dd id="cvv">${securityCode}</dd></dl>`,
        )
      }),
    )
  }),
)
