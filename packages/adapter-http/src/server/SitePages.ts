/**
 * The documentation site: the files that `npm run site` builds into `assets/site`, below `/docs/site/`.
 * Source: D-543.
 */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { extname } from "node:path/posix"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as StaticDocument from "./StaticDocument.ts"

/** The address of the first page. */
const address = "/docs/site/"

/** The path of its route, and the one that the router adds to it. */
export const paths = { route: "/docs/site/*", added: "/docs/site" } as const

const folder = new URL("../../assets/site/", import.meta.url)
const manifest = new URL("site.json", folder)

/** Whether it was built: a bundler that puts the service into one file leaves it out. */
export const isThere = (): boolean => existsSync(manifest)

/** A link to it for other pages, empty unless it was built. */
export const link = (): string => (isThere() ? `<a href="${address}">Documentation</a>` : "")

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
}

interface Manifest {
  /** The paths of its files. */
  readonly files: ReadonlyArray<string>
  /** The hashes of the scripts within its pages, as a content security policy names them. */
  readonly scriptHashes: ReadonlyArray<string>
}

/** Allows the site's own scripts, and the styles that its pages set on elements. */
const policyOf = ({ scriptHashes }: Manifest): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${scriptHashes.map((hash) => `'${hash}'`).join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")

const documentsOf = (read: Manifest) => {
  const policy = policyOf(read)
  const document = (path: string) =>
    StaticDocument.make({
      contentType: contentTypes[extname(path)] ?? "application/octet-stream",
      // The generator names these for their content.
      isImmutable: path.startsWith("assets/"),
      headers: {
        "content-security-policy": policy,
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      },
      content: async () => ({ brotli: await readFile(new URL(`${path}.br`, folder)) }),
    })
  return new Map(read.files.map((path) => [path, document(path)]))
}

/** The file that a path below the site's address names: a page may lack its suffix. */
const candidatesFor = (path: string): ReadonlyArray<string> =>
  path === "" ? ["index.html"] : [path, `${path}.html`, `${path}/index.html`]

/** The answer to GET and HEAD of any address of the site. It reads what was built at the first request. */
export const make = (): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest
> => {
  let made: Promise<ReturnType<typeof documentsOf>> | undefined
  const documents = () => (made ??= readFile(manifest, "utf8").then((text) => documentsOf(JSON.parse(text))))
  return Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const found = yield* Effect.promise(documents)
    const [path = ""] = url.split("?")
    const below = path.replace(/^\/+docs\/+site\/*/u, "").replace(/\/+$/u, "")
    const name = candidatesFor(below).find((candidate) => found.has(candidate))
    const document = found.get(name ?? "404.html")
    if (document === undefined) return HttpServerResponse.empty({ status: 404 })
    const response = yield* document
    return name === undefined ? HttpServerResponse.setStatus(response, 404) : response
  })
}
