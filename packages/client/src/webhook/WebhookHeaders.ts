/**
 * The headers of a webhook in the forms that servers give them.
 * Source: RFC 9110, 5.1 (names in any case) and 5.3 (repeated fields, joined by commas).
 */

/** `Headers`, the headers of `node:http` and of frameworks on it, or any record of names and values. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

type HeadersObject = Extract<WebhookHeaders, { readonly get: unknown }>

const isHeadersObject = (headers: WebhookHeaders): headers is HeadersObject => typeof headers["get"] === "function"

/** Returns the value of a header; of a repeated one, all values joined by commas, as `Headers` does. */
export const headerOf = (headers: WebhookHeaders, name: string): string | undefined => {
  if (isHeadersObject(headers)) return headers.get(name) ?? undefined
  const values = Object.entries(headers).flatMap(([own, value]) =>
    own.toLowerCase() === name.toLowerCase() ? (value ?? []) : [],
  )
  return values.length === 0 ? undefined : values.join(", ")
}
