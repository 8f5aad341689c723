/**
 * The interactive page of the interface: the frame in which Swagger UI shows the OpenAPI document. Without scripts it leads to the plain page.
 * Source: D-440.
 */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import * as SitePages from "./SitePages.ts"

/** Of the package `swagger-ui-dist`, whose files `scripts/renderer.mjs` copies into `assets/renderer`. */
export const rendererVersion = "5.35.0"

const fileOf = (name: string): URL => new URL(`../../assets/${name}`, import.meta.url)

/** Whether the files are there: a bundler that puts the service into one file leaves them out. */
export const hasAssets = (): boolean => existsSync(fileOf("renderer/swagger-ui-bundle.js.br"))

/** The guide is a generated page (`npm run docs`). */
export const readGuide = (): Promise<string> => readFile(fileOf("guide.html"), "utf8")

export interface Asset {
  readonly path: `/${string}`
  readonly contentType: string
  /** Whether the address names the version, so that a browser may keep the file. */
  readonly isImmutable: boolean
  /** Whether `read` returns bytes that are compressed with Brotli. */
  readonly isCompressed: boolean
  readonly read: () => Promise<Buffer>
}

const javascript = "text/javascript; charset=utf-8"
const css = "text/css; charset=utf-8"

const rendererFile = (path: `/${string}`, contentType: string, name: string): Asset => ({
  path,
  contentType,
  isImmutable: true,
  isCompressed: true,
  read: () => readFile(fileOf(`renderer/${name}.br`)),
})

const ownFile = (name: string, contentType: string): Asset => ({
  path: `/docs/${name}`,
  contentType,
  isImmutable: false,
  isCompressed: false,
  read: () => readFile(fileOf(name)),
})

const script = `/docs/swagger-ui-${rendererVersion}.js` as const
const style = `/docs/swagger-ui-${rendererVersion}.css` as const

export const assets: ReadonlyArray<Asset> = [
  rendererFile(script, javascript, "swagger-ui-bundle.js"),
  rendererFile(style, css, "swagger-ui.css"),
  ownFile("reference.js", javascript),
  ownFile("reference-dialog.js", javascript),
  ownFile("reference-ids.js", javascript),
  ownFile("reference-resolve.js", javascript),
  ownFile("reference-search.js", javascript),
  ownFile("reference.css", css),
]

/** Allows the scripts of this server only, and no text that becomes code; DOMPurify's policy cleans the HTML of descriptions. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types dompurify",
].join("; ")

export const make = (title: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<noscript><meta http-equiv="refresh" content="0; url=/docs/static"></noscript>
<link rel="stylesheet" href="${style}"><link rel="stylesheet" href="/docs/reference.css">
<script src="${script}" defer></script><script src="/docs/reference.js" type="module"></script></head>
<body><a class="skip" href="#reference">Skip to the operations</a>
<header class="frame"><nav aria-label="Pages">${[SitePages.link(), '<a href="/docs/guide">Guide</a>'].filter(Boolean).join(" · ")} · <a href="/docs/static">Everything on one page</a> · <a href="/openapi.json">OpenAPI document</a></nav><span id="filled" role="status"></span><button id="credentials" type="button" hidden>Use the sandbox's credentials</button><button id="shell" type="button" hidden>Copy for a shell</button></header>
<main id="reference"><p class="loading">Loading the operations. <a href="/docs/static">The plain page</a> needs no scripts.</p></main></body></html>
`
