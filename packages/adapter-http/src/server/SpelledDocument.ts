/**
 * The OpenAPI document in the spelling of the service's name: members, required lists, values, discriminators, parameters, examples, texts.
 * Source: wire contract areas 2.5 (OpenAPI); D-371.
 */
import { respellText, type Spellings } from "@countersign/core/names"
import { isObject, type Json, type JsonObject } from "./Json.ts"

/** The document holds no text of a caller, so that every whole word of the table is one of its names. */
const spelledJson = (json: Json, spellings: Spellings): Json => {
  if (typeof json === "string") return respellText(json, spellings)
  if (Array.isArray(json)) return json.map((item) => spelledJson(item, spellings))
  return isObject(json) ? spelledDocument(json, spellings) : json
}

export const spelledDocument = (document: JsonObject, spellings: Spellings): JsonObject =>
  spellings.size === 0
    ? document
    : Object.fromEntries(
        Object.entries(document).map(([name, member]) => [
          respellText(name, spellings),
          spelledJson(member, spellings),
        ]),
      )
