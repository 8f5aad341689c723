/**
 * The headers of a request and of its answer that a sandbox keeps: those that the endpoint reads, and some of the transport.
 * Source: D-464.
 */
import { SecretMask } from "@countersign/core"
import { Redacted, Result } from "effect"
import * as AuthorizationHeader from "./AuthorizationHeader.ts"
import type { EndpointMasks } from "./EndpointMasks.ts"
import { hides } from "./KeptPath.ts"
import type { KnownSecrets } from "./KnownSecrets.ts"
import type { MaskedMembers } from "./MaskedMembers.ts"

type Headers = Readonly<Record<string, string | undefined>>
type Kept = ReadonlyArray<readonly [name: string, value: string]>

export const valueMax = 1_024

const ofRequest =
  /^(?:accept|accept-language|content-length|content-type|idempotency-key|origin|traceparent|user-agent)$/u
const ofAnswer = /^(?:allow|cache-control|content-type|idempotency-replayed|ratelimit-\w+|retry-after|x-request-id)$/u

const valuesOf = (headers: Headers): Kept =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value.slice(0, valueMax)]]))

export const keptHeaders = (
  headers: Headers,
  masks: EndpointMasks,
  neutralOf: (name: string) => string,
  secrets: KnownSecrets,
  masked: MaskedMembers,
): Kept =>
  valuesOf(headers).flatMap(([name, value]) => {
    if (!masks.headerNames.has(neutralOf(name))) return ofRequest.test(name) ? [[name, value] as const] : []
    const noted = { at: `header.${name}`, secrets, masked }
    return [[name, hides(masks.headers, name, value, noted) ? SecretMask.mask : value] as const]
  })

export const keptAnswerHeaders = (headers: Headers): Kept => valuesOf(headers).filter(([name]) => ofAnswer.test(name))

/** Adds the credentials of a request, which are kept nowhere, and returns its client secret or its access token. */
export const addCredentials = ({ authorization, cookie }: Headers, secrets: KnownSecrets): string | undefined => {
  for (const part of cookie?.split(/[;=]/u) ?? []) secrets.add(part.trim())
  if (authorization === undefined) return undefined
  const { basic, bearer } = AuthorizationHeader
  const platform = Result.map(basic(authorization), ({ clientSecret }) => clientSecret)
  const [own] = [platform, bearer(authorization)].flatMap((secret) =>
    Result.isSuccess(secret) ? [Redacted.value(secret.success)] : [],
  )
  secrets.add(own)
  secrets.add(authorization.replace(/^\S+\s+/u, ""))
  return own
}
