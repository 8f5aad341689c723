/**
 * A request that can be read for every operation of the interface, made from the examples of its own document, and filled with the
 * ids that somebody has.
 */

import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import * as DocsPage from "../../../packages/adapter-http/src/server/DocsPage.ts"
import { type Operation as Defined, operations as defined } from "../../../packages/test/src/arbitraries/Operations.ts"

/** Its path is as the document spells it, with `{names}`. */
export interface Operation extends Pick<Defined, "name" | "method" | "path" | "access" | "scheme"> {
  /** The query and the body of the example. */
  readonly query: string
  readonly body: string | undefined
  /** What stands in its path. */
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
const examples = (): ReadonlyMap<string, { readonly query: string; readonly body: string | undefined }> => {
  const page = DocsPage.make(OpenApiDocument.make(Api, ""))
  const found = [...page.matchAll(/<code>(curl [^<]*)<\/code>/gu)].map(([, text = ""]) => {
    const example = unescaped(text)
    const [, method = "", path = "", query = ""] = /^curl -X (\w+) "\$HOST([^"?]+)(\?[^"]*)?"/u.exec(example) ?? []
    const body = /-d '(.*)'$/su.exec(example)?.[1]?.replaceAll("'\\''", "'")
    return [`${method} ${path}`, { query, body }] as const
  })
  if (!found.some(([, { body }]) => body !== undefined)) throw new Error("the examples of the document have no bodies")
  return new Map(found)
}

/** Updates have no required field, so that their example is empty: one field of each. */
const updates: { readonly [operation: string]: object } = {
  "PATCH /agents/{agentId}": { name: "Taken over" },
  "PATCH /cards/{cardId}": { maxSpendPerTransaction: 5 },
}

/** Every operation of the interface, from its definition. */
export const operations = (): ReadonlyArray<Operation> => {
  const known = examples()
  return defined.map(({ access, method, name, path: spelledPath, scheme }) => {
    const path = spelledPath.replaceAll(/:(\w+)/gu, "{$1}")
    const spelled = `${method} ${path}`
    const example = known.get(spelled)
    if (example === undefined) throw new Error(`the document has no example of ${spelled}`)
    const update = updates[spelled]
    return {
      name,
      method,
      path,
      access,
      scheme,
      query: example.query,
      body: update === undefined ? example.body : JSON.stringify(update),
      names: [...path.matchAll(/\{(\w+)\}/gu)].map(([, parameter = ""]) => parameter),
    }
  })
}

/** Ids by the name that a path gives them (`agentId`), and by their type (`Agent`). */
export type Ids = Readonly<Record<string, string>>

/** Ids of the examples become those of somebody, wherever there is one of the type. */
const filled = (text: string, ids: Ids): string =>
  text.replaceAll(/([A-Z][A-Za-z]+):0[0-9a-f-]{35}/gu, (example, type: string) => ids[type] ?? example)

export const requestOf = ({ body, path, query }: Operation, ids: Ids) => ({
  path: `${path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => ids[name] ?? `no-${name}`)}${filled(query, ids)}`,
  body: body === undefined ? undefined : filled(body, ids),
})
