/**
 * The id of the request that an operation answers; `undefined` for a job. Audit records and responses contain it.
 * Source: wire contract 11 (60).
 */
import { Context } from "effect"

export const RequestId = Context.Reference<string | undefined>("@countersign/core/RequestId", {
  defaultValue: () => undefined,
})
