/**
 * A decodable request for every operation of the interface, built from the examples of its document and filled with ids of a tenant.
 */

import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { example } from "../../../packages/adapter-http/src/server/DocumentExamples.ts"
import { type Place, requestOf as sampleOf } from "../../../packages/adapter-http/src/server/SampleRequest.ts"
import { type Operation as Defined, operations as defined } from "../../../packages/test/src/arbitraries/Operations.ts"
import { idTypeOf } from "../../../packages/test/src/arbitraries/PathIds.ts"
import { form, contentType as formContentType } from "../document/Forms.ts"

/** An operation. Its path has the form of the document, with `{names}`. */
export interface Operation extends Pick<Defined, "name" | "method" | "path" | "access" | "scheme"> {
  /** The query and the body of the example. */
  readonly query: string
  readonly body: string | undefined
  readonly contentType: string
  /** The names of its path parameters, and the type of `{id}`. */
  readonly names: ReadonlyArray<string>
}

const document = OpenApiDocument.make(Api, "")
const { at, isObject } = OpenApiDocument
const components = at(document, "components", "schemas")
const schemas = isObject(components) ? components : {}

/** The example of each operation, by method and path. */
const examples = (): ReadonlyMap<string, Pick<Operation, "query" | "body" | "contentType">> => {
  const found = Object.entries(Object(document["paths"])).flatMap(([path, item]) =>
    Object.entries(Object(item)).flatMap(([method, operation]) => {
      if (!isObject(operation)) return []
      const partOf: Place["partOf"] = (schema, name) => example(schema, schemas, 0, name)
      const sample = sampleOf(operation, { base: "", path, method, group: "", schemas, partOf })
      const [, query] = sample.path.split("?")
      const parts = sample.form.map(([name, value]) =>
        typeof value === "string" ? { name, body: value } : { name, fileName: value.name, body: value.content },
      )
      const body = sample.body === undefined ? undefined : JSON.stringify(sample.body)
      const sent =
        parts.length === 0
          ? { body, contentType: "application/json" }
          : { body: form(parts).toString(), contentType: formContentType }
      return [[`${sample.method} ${path}`, { query: query === undefined ? "" : `?${query}`, ...sent }] as const]
    }),
  )
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
    const found = exampleByOperation.get(spelled)
    if (found === undefined) throw new Error(`the document has no example of ${spelled}`)
    const update = updates[spelled]
    return {
      name,
      method,
      path,
      access,
      scheme,
      query: found.query,
      contentType: found.contentType,
      body: update === undefined ? found.body : JSON.stringify(update),
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
