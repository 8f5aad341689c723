/**
 * The successes of operations that carry an element with the service's name: in a parameter, in the request's body or in the answer.
 * Source: wire contract areas 2.5; D-431.
 */
import { OpenApiDocument } from "@countersign/adapter-http"
import { respellText, spellingsOf } from "@countersign/core/models"

const { isObject } = OpenApiDocument
type Json = OpenApiDocument.Json
type JsonObject = OpenApiDocument.JsonObject

/** Any other name than the default shows what is respelled. */
const spellings = spellingsOf("Acme")
const isRespelled = (text: string): boolean => respellText(text, spellings) !== text

/** Members that only people read. */
const prose: ReadonlyArray<string> = ["description", "summary", "example", "examples"]

const carriesName = (document: JsonObject, json: Json | undefined, visited: Set<string>): boolean => {
  if (typeof json === "string") return isRespelled(json)
  if (Array.isArray(json)) return json.some((item) => carriesName(document, item, visited))
  if (!isObject(json)) return false
  const { $ref: ref } = json
  if (typeof ref === "string") {
    if (visited.has(ref)) return false
    visited.add(ref)
    const target = OpenApiDocument.at(document, ...ref.replace("#/", "").split("/"))
    return carriesName(document, target, visited)
  }
  return Object.entries(json).some(
    ([name, member]) => !prose.includes(name) && (isRespelled(name) || carriesName(document, member, visited)),
  )
}

const isSuccess = (status: string): boolean => status.startsWith("2")

/** Returns `METHOD path status` of each such success. */
export const namedSuccesses = (document: JsonObject): ReadonlyArray<string> =>
  Object.entries(isObject(document["paths"]) ? document["paths"] : {}).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) => {
      const { parameters, requestBody, responses } = isObject(operation) ? operation : {}
      const successes = Object.entries(isObject(responses) ? responses : {}).filter(([status]) => isSuccess(status))
      const parts: Json = [parameters ?? null, requestBody ?? null, ...successes.map(([, response]) => response)]
      return carriesName(document, parts, new Set())
        ? successes.map(([status]) => `${method.toUpperCase()} ${path} ${status}`)
        : []
    }),
  )
