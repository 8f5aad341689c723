/**
 * The refusals of a UMA address: malformed, or without a receiver.
 * Source: wire contract 5.10; D-251.
 */
import { notFound, type Refusal } from "../../foundation/errors/ServiceError.ts"

export const umaAddressNotFound: Refusal = notFound("UMA address", "UMA_NOT_FOUND")

/** An address under a domain that is not the platform's, whether or not another platform has that domain. Source: D-348. */
export const foreignUmaAddress = (field: string, umaDomain: string): Refusal => {
  const message = "must be an address under the platform's own UMA domain"
  return {
    code: "INVALID_UMA_ADDRESS",
    message: `${field}: ${message}`,
    details: { errors: [{ field, message, constraint: { umaDomain } }] },
  }
}

export const invalidUmaAddress = (field: string): Refusal => ({
  code: "INVALID_UMA_ADDRESS",
  message: `${field}: must be a UMA address such as $name@example.com`,
  details: { errors: [{ field, message: "must be a UMA address such as $name@example.com" }] },
})
