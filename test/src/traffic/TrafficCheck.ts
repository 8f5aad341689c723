/**
 * Holds answers against the OpenAPI document: the operation has the status, the status has the content type, and the body has the schema.
 * Source: wire contract 0.2.
 */
import type { PublishedAnswer } from "@countersign/adapter-http"
import { serviceNameDefault, spellingsOf } from "@countersign/core/names"
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
// Not by the package's index: servers of the tests load this, and it loads no contract.
import { at, isObject, type Json, type JsonObject, list, text } from "../../../packages/adapter-http/src/server/Json.ts"
import { spelledDocument } from "../../../packages/adapter-http/src/server/SpelledDocument.ts"

/** What a check says of one answer. */
export interface Checked {
  /** The operation as the document names it; `undefined` for another path than those of the interface. */
  readonly operation: string | undefined
  readonly problems: ReadonlyArray<string>
}

const parameter = /:(\w+)/gu
/** Methods that HTTP answers by itself. */
const withoutOperation: ReadonlyArray<string> = ["HEAD", "OPTIONS"]
const problemsMax = 5

const described = (errors: ValidateFunction["errors"]): ReadonlyArray<string> =>
  (errors ?? [])
    .slice(0, problemsMax)
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)

export interface TrafficCheck {
  readonly answer: (answer: PublishedAnswer) => Checked
  /** The problems of a webhook of a service with the default name. */
  readonly webhook: (event: { readonly type: string }) => ReadonlyArray<string>
}

/** Holds answers against a document whose paths have no base path. */
export const trafficCheck = (neutral: JsonObject): TrafficCheck => {
  const paths = Object.keys(isObject(neutral["paths"]) ? neutral["paths"] : {}).toSorted((a, b) => b.length - a.length)
  const pathByRoute = new Map<string, string | undefined>()
  /** The longest path of the document at the end of a route: what comes before it is the base path. */
  const pathOf = (route: string): string | undefined => {
    if (!pathByRoute.has(route)) {
      const template = route.replaceAll(parameter, "{$1}")
      pathByRoute.set(
        route,
        paths.find((path) => template.endsWith(path)),
      )
    }
    return pathByRoute.get(route)
  }

  const validatorsOf = (serviceName: string) => {
    const text = JSON.stringify(spelledDocument(neutral, spellingsOf(serviceName)))
    const document: JsonObject = JSON.parse(text.replaceAll('"#/components/', '"document#/components/'))
    const ajv = addFormats.default(new Ajv2020.default({ strict: false, allErrors: true, discriminator: false }))
    ajv.addFormat("int64", true)
    ajv.addSchema({ $id: "document", components: document["components"] ?? {} })
    const validators = new Map<string, ValidateFunction>()
    return { document, ajv, validators }
  }
  const byName = new Map<string, ReturnType<typeof validatorsOf>>()
  const named = (serviceName: string) => {
    const found = byName.get(serviceName) ?? validatorsOf(serviceName)
    byName.set(serviceName, found)
    return found
  }

  const bodyProblems = (answer: PublishedAnswer, key: string, content: Json | undefined): ReadonlyArray<string> => {
    const { body, contentType, serviceName, status } = answer
    if (content === undefined)
      return body === undefined || body.length === 0 ? [] : ["has a body where none is documented"]
    const type = contentType?.split(";")[0] ?? ""
    const schema = at(content, type, "schema")
    if (schema === undefined) return [`has the content type "${type}", which is not documented`]
    if (body === undefined) return type === "application/json" ? ["has no body"] : []
    if (type !== "application/json") return []
    const { ajv, validators } = named(serviceName)
    const validate = validators.get(`${key} ${status}`) ?? ajv.compile(isObject(schema) ? schema : {})
    validators.set(`${key} ${status}`, validate)
    validate(JSON.parse(new TextDecoder().decode(body)))
    return described(validate.errors)
  }

  const webhook: TrafficCheck["webhook"] = (event) => {
    const { ajv, document, validators } = named(serviceNameDefault)
    const schemas = Object.values(isObject(document["webhooks"]) ? document["webhooks"] : {}).map((item) =>
      text(at(item, "post", "requestBody", "content", "application/json", "schema", "$ref")),
    )
    const ref = schemas.find((each) => {
      const name = each.split("/").at(-1) ?? ""
      return list(at(document, "components", "schemas", name, "properties", "type", "enum")).includes(event.type)
    })
    if (ref === undefined) return [`webhook ${event.type}: is not documented`]
    const validate = validators.get(ref) ?? ajv.compile({ $ref: ref })
    validators.set(ref, validate)
    validate(event)
    return described(validate.errors).map((problem) => `webhook ${event.type}: ${problem}`)
  }

  const answer: TrafficCheck["answer"] = (answer) => {
    const path = pathOf(answer.route)
    if (path === undefined || withoutOperation.includes(answer.method)) return { operation: undefined, problems: [] }
    const operation = `${answer.method} ${path}`
    const { document } = named(answer.serviceName)
    const found = at(document, "paths", path, answer.method.toLowerCase())
    if (found === undefined) return { operation: undefined, problems: [] }
    const response = at(found, "responses", String(answer.status))
    const problems =
      response === undefined
        ? [`has the status ${answer.status}, which is not documented`]
        : bodyProblems(answer, operation, at(response, "content"))
    return { operation, problems: problems.map((problem) => `${operation} ${answer.status}: ${problem}`) }
  }
  return { answer, webhook }
}
