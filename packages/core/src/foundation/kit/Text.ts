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

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"

/** An e-mail address of RFC 5322's `dot-atom` at a host name: what `format: email` means to validators of JSON Schema. D-430. */
export const Email = Schema.String.annotate({ format: "email" }).check(
  Schema.isMaxLength(254).abort(),
  Schema.isPattern(new RegExp(`^${atom}(\\.${atom})*@(${label}\\.)+${label}$`, "u"), {
    expected: "an e-mail address",
  }).abort(),
  Schema.isPattern(/^.{1,64}@/u, { expected: "an e-mail address with at most 64 characters before the @" }),
)

/** A telephone number in E.164. */
export const PhoneNumber = Matching("code", /^\+[1-9]\d{1,14}$/u, "a telephone number in E.164, such as +14155550123")

/** ISO 3166-1 alpha-2, uppercase. */
export const CountryCode = Matching("code", /^[A-Z]{2}$/u, "an ISO 3166-1 alpha-2 country code, such as US")
