/**
 * The console as one document that asks for nothing else: script and style are in it, and the policy that it is sent with
 * names them by their hashes.
 * Source: D-214.
 */
import { script, scriptHash, style, styleHash } from "./Assets.ts"

/** No other script or style runs, nothing is loaded, no other site may frame it, and it talks to its own origin only. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src '${scriptHash}'`,
  `style-src '${styleHash}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ")

/** The headers that the document is sent with. */
export const consoleHeaders = {
  "content-security-policy": contentSecurityPolicy,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cache-control": "no-store",
} as const

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")

/** Which areas the page has: a sandbox has those that look into it and move its time, too. */
export type ConsoleMode = "sandbox" | "live"

/** The document; `basePath` is what stands before every path of the interface beside it. */
export const consoleDocument = (basePath: string, mode: ConsoleMode = "live"): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${mode === "live" ? "Approvals" : "Workbench"}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="base-path" content="${escaped(basePath)}">
<meta name="mode" content="${mode}">
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<noscript>This page needs JavaScript.</noscript>
<script type="module">${script}</script>
</body>
</html>
`
