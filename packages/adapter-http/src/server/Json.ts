/** JSON of unknown shape and its accessors: the code that builds and reads the OpenAPI document uses them. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject
/** A JSON object, as opposed to a list, a scalar or `null`. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether a value is an object, which neither `null` nor a list is. */
export const isObject = (json: unknown): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)
/** Returns the value at the end of a path of keys; `undefined` if one of them leads to nothing. It does not step into lists. */
export const at = (json: Json | undefined, ...path: ReadonlyArray<string>): Json | undefined =>
  path.reduce<Json | undefined>((value, key) => (isObject(value) ? value[key] : undefined), json)
/** Returns a list as it is, and an empty one for any other value. */
export const list = (json: Json | undefined): ReadonlyArray<Json> => (Array.isArray(json) ? json : [])
/** Returns a string as it is, and an empty one for any other value. */
export const text = (json: Json | undefined): string => (typeof json === "string" ? json : "")
export const entries = (json: Json | undefined): ReadonlyArray<readonly [string, Json]> =>
  isObject(json) ? Object.entries(json) : []
