/**
 * A decodable request for every operation of the interface, built from the examples of its document and filled with ids of a tenant.
 */

import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import * as DocsPage from "../../../packages/adapter-http/src/server/DocsPage.ts"
import { type Operation as Defined, operations as defined } from "../../../packages/test/src/arbitraries/Operations.ts"
import { idTypeOf } from "../../../packages/test/src/arbitraries/PathIds.ts"
import { form, contentType as formContentType, partsOf } from "../document/Forms.ts"

/** An operation. Its path has the form of the document, with `{names}`. */
export interface Operation extends Pick<Defined, "name" | "method" | "path" | "access" | "scheme"> {
  /** The query and the body of the example. */
  readonly query: string
  readonly body: string | undefined
  readonly contentType: string
  /** The names of its path parameters, and the type of `{id}`. */
  readonly names: ReadonlyArray<string>
}

const unescaped = (html: string): string =>
  html
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

/** The example of each operation, by method and path. */
const examples = (): ReadonlyMap<string, Pick<Operation, "query" | "body" | "contentType">> => {
  const page = DocsPage.make(OpenApiDocument.make(Api, ""))
  const found = [...page.matchAll(/<code>(curl [^<]*)<\/code>/gu)].map(([, text = ""]) => {
    const example = unescaped(text)
    const [, method = "", path = "", query = ""] = /^curl -X (\w+) "\$HOST([^"?]+)(\?[^"]*)?"/u.exec(example) ?? []
    const body = /-d '(.*)'$/su.exec(example)?.[1]?.replaceAll("'\\''", "'")
    const parts = partsOf(example)
    const sent =
      parts === undefined
        ? { body, contentType: "application/json" }
        : { body: form(parts).toString(), contentType: formContentType }
    return [`${method} ${path}`, { query, ...sent }] as const
  })
  if (!found.some(([, { body }]) => body !== undefined)) throw new Error("the examples of the document have no bodies")
  return new Map(found)
}

/** One field of each update: updates have no required field, so their examples are empty. */
const updates: { readonly [operation: string]: object } = {
  "PATCH /agents/{agentId}": { name: "Taken over" },
  "PATCH /cards/{id}": { maxSpendPerTransaction: 5 },
}

/** The name of a path parameter, or the type of record that `{id}` identifies. */
const idName = (path: string, name: string): string => (name === "id" ? idTypeOf(path) : name)

/** Every operation of the interface, from its definition. */
export const operations = (): ReadonlyArray<Operation> => {
  const exampleByOperation = examples()
  return defined.map(({ access, method, name, path: spelledPath, scheme }) => {
    const path = spelledPath.replaceAll(/:(\w+)/gu, "{$1}")
    const spelled = `${method} ${path}`
    const example = exampleByOperation.get(spelled)
    if (example === undefined) throw new Error(`the document has no example of ${spelled}`)
    const update = updates[spelled]
    return {
      name,
      method,
      path,
      access,
      scheme,
      query: example.query,
      contentType: example.contentType,
      body: update === undefined ? example.body : JSON.stringify(update),
      names: [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => idName(path, name)),
    }
  })
}

/** Ids by path parameter (`agentId`) and by type (`Agent`). */
export type Ids = Readonly<Record<string, string>>

/** Replaces the ids of examples by those of a tenant, for the types that it has. */
const filled = (text: string, ids: Ids): string =>
  text.replaceAll(/([A-Z][A-Za-z]+):0[0-9a-f-]{35}/gu, (example, type: string) => ids[type] ?? example)

export const requestOf = ({ body, contentType, path, query }: Operation, ids: Ids) => ({
  path: `${path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => ids[idName(path, name)] ?? `no-${name}`)}${filled(query, ids)}`,
  body: body === undefined ? undefined : filled(body, ids),
  contentType,
})
