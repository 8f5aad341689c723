/**
 * Every operation of the interface, read from its definition: its request, its responses and its authorization. A new
 * endpoint needs no change here.
 * Spec: Endpoints, Authentication.
 */
import { Access, Api, Upload } from "@countersign/client/api"
import { Context, type Schema } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import type { PlainSchema } from "./FromSchema.ts"

/** How an operation authenticates its caller. */
export type Scheme = "platform" | "agent" | "open"

/** An operation of the API with the schemas of its request and its responses. */
export interface Operation {
  /** The group's name and the endpoint's: `cards.createCard`. */
  readonly name: string
  readonly method: string
  /** Path as in the definition, with parameters as `:name`. */
  readonly path: string
  readonly scheme: Scheme
  readonly access: Access
  readonly takes: {
    readonly params: PlainSchema<object> | undefined
    readonly query: PlainSchema<object> | undefined
    readonly headers: PlainSchema<object> | undefined
    readonly body: PlainSchema | undefined
    /** The text parts of an upload, which has no other body. */
    readonly form: PlainSchema<object> | undefined
  }
  /** The response schemas by status; an empty list if there is no body. */
  readonly answers: ReadonlyMap<number, ReadonlyArray<PlainSchema>>
  /** The statuses of its error responses. */
  readonly refuses: ReadonlySet<number>
}

const plain = <A>(schema: Schema.Top | undefined) => schema as PlainSchema<A> | undefined

const bodyOf = ({ payload }: HttpApiEndpoint.Top): PlainSchema | undefined => {
  const [only, ...others] = [...payload.values()].flatMap(({ schemas }) => schemas)
  if (others.length > 0) throw new Error("an operation must have one request body schema")
  return plain(only)
}

const schemeOf = (keys: ReadonlyArray<string>): Scheme => {
  if (keys.some((key) => key.endsWith("/PlatformCredentials"))) return "platform"
  return keys.some((key) => key.endsWith("/AgentCredentials")) ? "agent" : "open"
}

const walk = (): ReadonlyArray<Operation> => {
  const found: Array<Operation> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, middleware, successes }) => {
      const upload = Context.get(endpoint.annotations, Upload)
      found.push({
        name: `${group.identifier}.${endpoint.identifier}`,
        method: endpoint.method,
        path: endpoint.path,
        scheme: schemeOf([...middleware].map(({ key }) => key)),
        access: Context.get(endpoint.annotations, Access),
        takes: {
          params: plain(endpoint.params),
          query: plain(endpoint.query),
          headers: plain(endpoint.headers),
          body: upload === undefined ? bodyOf(endpoint) : undefined,
          form: plain(upload?.texts),
        },
        answers: new Map([...successes].map(([status, schemas]) => [status, schemas.map((one) => one as PlainSchema)])),
        refuses: new Set(errors.keys()),
      })
    },
  })
  return found
}

/** All operations in the order of the definition. */
export const operations: ReadonlyArray<Operation> = walk()

const byName = new Map(operations.map((operation) => [operation.name, operation]))

/** Returns the operation with this name. */
export const operationOf = (name: string): Operation => {
  const operation = byName.get(name)
  if (operation === undefined) throw new Error(`unknown operation ${name}`)
  return operation
}
