/**
 * What a request was received as, also of a copy with another body: the copy is a request of the Fetch API, which knows no socket.
 * Source: D-349.
 */
import type { HttpServerRequest } from "effect/http"

const sources = new WeakMap<object, object>()

/** Returns the `node:http` or Fetch API request that the server received. */
export const receivedSource = ({ source }: HttpServerRequest.HttpServerRequest): object => sources.get(source) ?? source

/** Says that `copy` stands for a received request: both have its socket. */
export const standsFor = (copy: object, request: HttpServerRequest.HttpServerRequest): void => {
  sources.set(copy, receivedSource(request))
}
