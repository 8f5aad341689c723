/**
 * The refusals of a UMA address: malformed, or without a receiver.
 * Source: wire contract 5.10; D-251.
 */
import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"

export const umaAddressNotFound: Refusal = notFound("UMA address", "UMA_NOT_FOUND")

export const invalidUmaAddress = (field: string): Refusal => ({
  code: "INVALID_UMA_ADDRESS",
  message: `${field}: must be a UMA address such as $name@example.com`,
  details: { errors: [{ field, message: "must be a UMA address such as $name@example.com" }] },
})
