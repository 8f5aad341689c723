/**
 * The OpenAPI document of the interface, derived from its definition.
 * Spec: Endpoints; wire contract 0.2 (unknown fields are ignored), 0.3, 0.4.
 */

import {
  Access,
  describedFailure,
  endpointsOf,
  WebhookEntriesApi,
  webhookEntries,
  webhookGroup,
} from "@countersign/client/api"
import { ErrorCodes } from "@countersign/core/models"
import type { SchemaAST } from "effect"
import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { constraintOf } from "../middleware/Constraints.ts"
import { withExamples } from "./DocumentExamples.ts"
import { typedSchemas } from "./DocumentTypes.ts"
import { at, isObject, type Json, type JsonObject, list, text } from "./Json.ts"

export { at, isObject, type Json, type JsonObject, list, text }

const safeInteger = Number.MAX_SAFE_INTEGER

/** Normalizes one object of the document whose members are normalized already. */
const normalizedObject = ({ anyOf, ...object }: JsonObject): JsonObject => {
  const [only, ...further] = list(anyOf)
  const choice = isObject(only) && further.length === 0 ? only : anyOf === undefined ? {} : { anyOf }
  const { additionalProperties, allOf, ...rest } = { ...choice, ...object }
  const parts = list(allOf)
  const isAnnotation = (part: Json) =>
    isObject(part) && Object.keys(part).every((key) => key === "description" || key === "$ref")
  const merged =
    parts.length === 0
      ? {}
      : parts.every(isAnnotation)
        ? Object.assign({}, ...parts.filter(isObject))
        : { allOf: parts }
  // Objects stay open: callers may send unlisted fields, and later versions may add some.
  const open = additionalProperties === undefined || additionalProperties === false ? {} : { additionalProperties }
  const int64 = rest["type"] === "integer" && rest["format"] === undefined ? { format: "int64" } : {}
  const { maximum, minimum, ...others } = { ...rest, ...merged, ...open, ...int64 }
  return {
    ...others,
    ...(minimum === undefined || minimum === -safeInteger ? {} : { minimum }),
    ...(maximum === undefined || maximum === safeInteger ? {} : { maximum }),
  }
}

const normalized = (json: Json): Json => {
  if (Array.isArray(json)) return json.map(normalized)
  if (!isObject(json)) return json
  return normalizedObject(Object.fromEntries(Object.entries(json).map(([key, member]) => [key, normalized(member)])))
}

const refName = (json: Json): string | undefined => /^#\/components\/schemas\/(.+)$/u.exec(text(at(json, "$ref")))?.[1]

/** Adds the discriminator to each union of objects that one literal member distinguishes. */
const withDiscriminators = (json: Json, schemas: JsonObject): Json => {
  if (Array.isArray(json)) return json.map((item) => withDiscriminators(item, schemas))
  if (!isObject(json)) return json
  const object = Object.fromEntries(
    Object.entries(json).map(([key, member]) => [key, withDiscriminators(member, schemas)]),
  )
  const names = list(object["anyOf"]).map(refName)
  const members = names.map((name) => (name === undefined ? undefined : at(schemas[name], "properties")))
  const [first] = members
  if (!isObject(first) || !members.every(isObject)) return object
  const literalOf = (member: Json | undefined, property: string) => {
    const values = list(at(member, property, "enum"))
    return values.length === 1 ? text(values[0]) : ""
  }
  const propertyName = Object.keys(first).find((property) =>
    members.every((member) => literalOf(member, property) !== ""),
  )
  if (propertyName === undefined) return object
  const mapping = Object.fromEntries(
    members.map((member, index) => [literalOf(member, propertyName), `#/components/schemas/${names[index]}`]),
  )
  const { anyOf, ...rest } = object
  return { ...rest, oneOf: anyOf ?? [], discriminator: { propertyName, mapping } }
}

/** Gives a query parameter the type of its value instead of the type of its text form, and a header its usual case. */
const parameterOf = (parameter: JsonObject, endpoint: HttpApiEndpoint.Top): JsonObject => {
  const ast = endpoint.query?.ast
  const type = propertyOf(ast, text(parameter["name"]))
  const schema = parameter["schema"]
  const isSentAsText = type?._tag === "Number" || type?._tag === "Boolean"
  const hasFormat = at(schema, "format") !== undefined
  const described = isSentAsText && !hasFormat ? { ...constraintOf(type) } : schema
  const description = type && (type.annotations?.["description"] ?? type.checks?.at(-1)?.annotations?.["description"])
  return {
    ...parameter,
    ...(parameter["in"] === "header"
      ? { name: text(parameter["name"]).replace(/(^|-)[a-z]/gu, (c) => c.toUpperCase()) }
      : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(described === undefined ? {} : { schema: described }),
  }
}

const propertyOf = (ast: SchemaAST.AST | undefined, name: string): SchemaAST.AST | undefined =>
  ast?._tag === "Objects" ? ast.propertySignatures.find((signature) => signature.name === name)?.type : undefined

const replayed: JsonObject = {
  "Idempotency-Replayed": {
    description: "`true` when this is the answer of an earlier request with the same key.",
    schema: { type: "string", enum: ["true"] },
  },
}

const requestId: JsonObject = {
  "X-Request-Id": { description: "Names this request in the service's logs.", schema: { type: "string" } },
}

/** A body is required if one of its fields is. */
const bodyOf = (body: JsonObject, schemas: JsonObject): JsonObject => {
  const schema = at(body, "content", "application/json", "schema")
  const name = schema === undefined ? undefined : refName(schema)
  const target = name === undefined ? schema : schemas[name]
  return { ...body, required: at(target, "type") !== "object" || list(at(target, "required")).length > 0 }
}

const operationOf = (operation: JsonObject, endpoint: HttpApiEndpoint.Top, schemas: JsonObject): JsonObject => {
  const access = Context.get(endpoint.annotations, Access)
  const needs = [
    ...(access.tokenPermission === undefined ? [] : [`Token permission: \`${access.tokenPermission}\`.`]),
    ...(access.agentPermission === undefined ? [] : [`Agent permission: \`${access.agentPermission}\`.`]),
    ...(access.isRefusedWhilePaused === true ? ["Refused while the agent is paused."] : []),
  ]
  const responses = at(operation, "responses")
  const body = operation["requestBody"]
  return {
    ...operation,
    description: [text(operation["description"]), ...needs].join("\n\n"),
    parameters: list(operation["parameters"])
      .filter(isObject)
      .map((parameter) => parameterOf(parameter, endpoint)),
    ...(isObject(body) ? { requestBody: bodyOf(body, schemas) } : {}),
    responses: Object.fromEntries(
      Object.entries(isObject(responses) ? responses : {}).map(([status, response]) => [
        status,
        responseOf(status, response, access.isIdempotent === true),
      ]),
    ),
  }
}

/** Adds the meaning of the status and the headers to a response. */
const responseOf = (status: string, response: Json, isIdempotent: boolean): Json => {
  const isSuccess = status.startsWith("2")
  const description = describedFailure(status)
  return {
    ...(isObject(response) ? response : {}),
    ...(description === undefined ? {} : { description }),
    headers: { ...requestId, ...(isIdempotent && isSuccess ? replayed : {}) },
  }
}

/** The code of each status for examples: the first row with this status. */
const exampleCodes: ReadonlyMap<number, string> = new Map(
  ErrorCodes.entries.map(([code, { status }]) => [status, code] as const).toReversed(),
)

const securitySchemes: JsonObject = {
  BasicAuth: {
    type: "http",
    scheme: "basic",
    description: "User name: the client id of an API token; password: its client secret.",
  },
  AgentAuth: {
    type: "http",
    scheme: "bearer",
    description: "The access token that redeeming a device code answered.",
  },
  WebhookSignature: {
    type: "apiKey",
    in: "header",
    name: "X-Service-Signature",
    description:
      "ECDSA on P-256 with SHA-256 over the bytes of the body. `GET /webhooks/keys` lists the keys; `webhook-signature` is the signature of Standard Webhooks.",
  },
}

/** The webhooks of the interface, each a request that a receiver answers. */
const webhooksOf = (document: Json, schemas: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.keys(webhookEntries).flatMap((name) => {
      const operation = at(document, "paths", `/${name}`, "post")
      if (!isObject(operation)) return []
      const { parameters, requestBody, ...rest } = operation
      const body = isObject(requestBody) ? { requestBody: bodyOf(requestBody, schemas) } : {}
      return [[name, { post: { ...rest, tags: ["Webhooks"], security: [{ WebhookSignature: [] }], ...body } }]]
    }),
  )

const infoOf = (document: Json): JsonObject => {
  const info = at(document, "info")
  return isObject(info) ? info : {}
}

/** Returns the document for a server whose base address ends in `basePath`. */
export const make = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  basePath: string,
): JsonObject => {
  // The bodies of webhooks share the schemas of the interface.
  const whole = HttpApi.make("document").addHttpApi(api).add(WebhookEntriesApi).annotateMerge(api.annotations)
  const raw: Json = JSON.parse(JSON.stringify(OpenApi.fromApi(whole)))
  const document = normalized(raw)
  const schemas = at(document, "components", "schemas")
  const schemasByName = typedSchemas(isObject(schemas) ? schemas : {})
  const paths: Record<string, Record<string, Json>> = {}
  for (const { endpoint } of endpointsOf(api)) {
    const path = endpoint.path.replace(/:(\w+)/gu, "{$1}")
    const method = endpoint.method.toLowerCase()
    const operation = at(document, "paths", path, method)
    if (isObject(operation)) paths[path] = { ...paths[path], [method]: operationOf(operation, endpoint, schemasByName) }
  }
  const result = withDiscriminators(
    {
      ...(isObject(document) ? document : {}),
      info: { ...infoOf(document), license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
      servers: [{ url: basePath === "" ? "/" : basePath }],
      paths,
      tags: list(at(document, "tags")).filter((tag) => at(tag, "name") !== webhookGroup),
      webhooks: webhooksOf(document, schemasByName),
      components: { schemas: schemasByName, securitySchemes },
    },
    schemasByName,
  )
  return isObject(result) ? withExamples(result, exampleCodes) : {}
}
