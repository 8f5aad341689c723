/**
 * What is said about a connection that failed. The reasons contain no address and no text of the receiver.
 * Source: wire contract 6.2.
 */
import type { WebhookResult } from "@countersign/core/ports"
import { Data } from "effect"

/** Carries the refusal of an address through the socket's error. */
export class AddressRefused extends Data.TaggedError("AddressRefused")<{ readonly reason: string }> {}

/**
 * No part of an answer arrived. Either the receiver said that it has not processed the request, or it closed a kept connection while
 * the request was on its way. HTTP allows a client to send it again. Source: RFC 9110, section 9.2.2; RFC 9113, section 8.7; D-510.
 */
export class NotProcessed extends Data.TaggedError("NotProcessed")<{
  readonly reason: string
  /** `http1`: only a new connection of HTTP/1.1 will do. */
  readonly over: "any" | "http1"
}> {}

export const closedEarly = "the connection was closed before the answer was complete"

/** Messages of connection errors. Node's own messages contain addresses. */
const connectionErrors: { readonly [code: string]: string } = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: closedEarly,
  EPIPE: closedEarly,
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
}

export const reasonOf = (error: NodeJS.ErrnoException): string => {
  if (error instanceof AddressRefused) return error.reason
  const code = error.code ?? "UNKNOWN"
  return connectionErrors[code] ?? `the connection failed (${code})`
}

export const isClosed = ({ code }: NodeJS.ErrnoException): boolean => code === "ECONNRESET" || code === "EPIPE"

export const unreachable = (reason: string): WebhookResult => ({ _tag: "Unreachable", reason })
