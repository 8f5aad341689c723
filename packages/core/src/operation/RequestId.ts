/**
 * The id of the request that an operation answers, where it answers one: what the audit names, and the transport shows.
 * Source: wire contract 11 (60).
 */
import { Context } from "effect"

export const RequestId = Context.Reference<string | undefined>("@countersign/core/RequestId", {
  defaultValue: () => undefined,
})
