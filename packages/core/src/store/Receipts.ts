/**
 * How long a store remembers a committed change set without an idempotency key, in milliseconds of wall time: longer than any caller sends
 * a set again whose outcome is unknown.
 * Source: store/ChangeSet.ts (operationId).
 */
export const receiptRetentionMillis = 8 * 24 * 60 * 60 * 1000
