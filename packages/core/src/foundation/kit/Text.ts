/**
 * Schemas of texts in requests, with their maximum lengths.
 * Source: wire contract 0.2 and 5.11.
 */

import { Schema } from "effect"
import { Matching } from "./Lengths.ts"

/** A text of 1 to `max` characters. */
export const Text = (max: number, description?: string) =>
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(max)).annotate(
    description === undefined ? {} : { description },
  )

/** An e-mail address: one `@`, a name before it and a domain after it. */
export const Email = Schema.String.annotate({ format: "email" }).check(
  Schema.isMaxLength(254).abort(),
  Schema.isPattern(/^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/u, { expected: "an e-mail address" }),
)

/** A telephone number in E.164. */
export const PhoneNumber = Matching("code", /^\+[1-9]\d{1,14}$/u, "a telephone number in E.164, such as +14155550123")

/** ISO 3166-1 alpha-2, uppercase. */
export const CountryCode = Matching("code", /^[A-Z]{2}$/u, "an ISO 3166-1 alpha-2 country code, such as US")
