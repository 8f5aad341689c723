/** JSON of unknown shape and its accessors: the code that builds and reads the OpenAPI document uses them. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export const isObject = (json: unknown): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)
export const at = (json: Json | undefined, ...path: ReadonlyArray<string>): Json | undefined =>
  path.reduce<Json | undefined>((value, key) => (isObject(value) ? value[key] : undefined), json)
export const list = (json: Json | undefined): ReadonlyArray<Json> => (Array.isArray(json) ? json : [])
export const text = (json: Json | undefined): string => (typeof json === "string" ? json : "")
export const entries = (json: Json | undefined): ReadonlyArray<readonly [string, Json]> =>
  isObject(json) ? Object.entries(json) : []
