/**
 * The renaming of an endpoint's requests and answers, derived from its schemas. Each is compiled when it is first needed.
 * Source: wire contract areas 2.5; D-371.
 */
import {
  ErrorResource,
  inwards,
  outwards,
  type Respell,
  respellPath,
  ServiceElements,
  type Spellings,
} from "@countersign/core/models"
import { Schema, type SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

const unchanged: Respell = (value) => value

const lazy = (make: () => Respell | undefined): Respell => {
  let made: Respell | undefined
  return (value) => {
    made ??= make() ?? unchanged
    return made(value)
  }
}

const successOf = ({ success }: HttpApiEndpoint.Top) => Schema.Union([...success].filter(Schema.isSchema))

const bodyOf = ({ payload }: HttpApiEndpoint.Top) => {
  const json = payload.get("application/json")
  return json?.encoding._tag === "Json" ? Schema.Union(json.schemas) : undefined
}

/** Renames the answers of an endpoint as they leave. */
export const outwardAnswers = (endpoint: HttpApiEndpoint.Top, spellings: Spellings): Respell =>
  lazy(() => outwards(successOf(endpoint), spellings))

/** Renames received answers of an endpoint to the names of the contract. */
export const inwardAnswers = (endpoint: HttpApiEndpoint.Top, spellings: Spellings): Respell =>
  lazy(() => inwards(successOf(endpoint), spellings))

/** Renames a received error to the codes of the contract. */
export const inwardErrors = (spellings: Spellings): Respell => lazy(() => inwards(ErrorResource, spellings))

type Headers = Readonly<Record<string, string | undefined>>

/** The renaming of the parts of a request; a part is `undefined` if it has nothing to rename. */
export interface RequestSpelling {
  readonly body: Respell | undefined
  readonly query: Respell | undefined
  readonly headers: (<H extends Headers>(headers: H) => H) | undefined
}

const namesOf = (ast: SchemaAST.AST | undefined): ReadonlyArray<string> =>
  ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

/** The headers of an endpoint that have two spellings, in lower case, as servers read them. */
const headersOf = ({ headers }: HttpApiEndpoint.Top, spellings: Spellings) => {
  const declared = namesOf(headers?.ast)
  return [...spellings].flatMap(([element, spelling]) => {
    const neutral = element.toLowerCase()
    return ServiceElements.find(element) === "header" && declared.includes(neutral)
      ? [{ neutral, own: spelling.toLowerCase() }]
      : []
  })
}

/** Returns the renaming of requests, in either spelling, to neutral ones; `undefined` if the endpoint's have no element. */
export const inwardRequests = (endpoint: HttpApiEndpoint.Top, spellings: Spellings): RequestSpelling | undefined => {
  const payload = bodyOf(endpoint)
  const body = payload && inwards(payload, spellings)
  const query = endpoint.query && inwards(endpoint.query, spellings)
  const renamed = headersOf(endpoint, spellings).filter(({ neutral, own }) => neutral !== own)
  if (body === undefined && query === undefined && renamed.length === 0) return undefined
  return {
    body,
    query,
    headers:
      renamed.length === 0
        ? undefined
        : (headers) => {
            const more = renamed.flatMap(({ neutral, own }) => {
              const value = headers[own]
              return value === undefined || value.trim() === "" ? [] : [[neutral, value] as const]
            })
            return more.length === 0 ? headers : { ...headers, ...Object.fromEntries(more) }
          },
  }
}

/** Returns the spelling of the field paths that errors of an endpoint name: members of its body and query, and headers. */
export const fieldSpelling = (endpoint: HttpApiEndpoint.Top, spellings: Spellings) => {
  const schemas = [bodyOf(endpoint), endpoint.query].filter((schema) => schema !== undefined)
  return (field: string): string =>
    ServiceElements.find(field) === "header"
      ? (spellings.get(field) ?? field)
      : respellPath(field.split("."), schemas, spellings).join(".")
}
