/**
 * The two kinds of credentials, as middleware of the endpoints that require them. The HTTP adapter implements the checks.
 * Spec: Authentication; wire contract 9.
 */
import type { CurrentCaller } from "@countersign/core"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"

/** HTTP Basic with a platform's client id and client secret. */
export class PlatformCredentials extends HttpApiMiddleware.Service<PlatformCredentials, { provides: CurrentCaller }>()(
  "@countersign/adapter-http/PlatformCredentials",
  { security: { BasicAuth: HttpApiSecurity.basic } },
) {}

/** The bearer token of an agent. */
export class AgentCredentials extends HttpApiMiddleware.Service<AgentCredentials, { provides: CurrentCaller }>()(
  "@countersign/adapter-http/AgentCredentials",
  { security: { AgentAuth: HttpApiSecurity.bearer } },
) {}

/** Decodes the request, and reports all problems of its fields in one response. */
export class RequestReading extends HttpApiMiddleware.Service<RequestReading>()(
  "@countersign/adapter-http/RequestReading",
) {}
