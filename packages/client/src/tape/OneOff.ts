/**
 * What a tape records in place of values that are valid once: a signature covers the payload of one response, and a sealed code opens with the
 * key of one. A replay sends the literals that a sandbox accepts instead, and seals the sandbox's code for the bundle that it received. What the
 * service refused is recorded as it was sent.
 * Source: D-449; Spec: Sandbox authentication behavior.
 */
import { SandboxSignatures } from "@countersign/core/sandbox"
import type { RecordedContent, RecordedRequest } from "./RecordedRequest.ts"
import { at, referSealed } from "./References.ts"
import type { Json, TapeStep } from "./Tape.ts"

const passkeySignature = "sandbox-valid-passkey-signature"
const target = "otpEncryptionTargetBundle"

interface Recording {
  readonly request: RecordedRequest
  readonly isAccepted: boolean
  readonly steps: ReadonlyArray<TapeStep>
  /** The reference of each sealed code: a signed request is sent twice with the same one. */
  readonly sealed: Map<string, string>
}

/** The last response with a bundle for the codes of a credential. */
const bundleFor = (credentialId: string, steps: ReadonlyArray<TapeStep>): number | undefined => {
  const found = steps.findLastIndex(
    (step) =>
      step._tag === "Call" &&
      at(step.answer.body, "id") === credentialId &&
      typeof at(step.answer.body, target) === "string",
  )
  return found === -1 ? undefined : found
}

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const bodyOf = (body: Json | undefined, { request, sealed, steps }: Recording): Json | undefined => {
  const [, credentialId] = /^\/auth\/credentials\/([^/?]+)\/verify$/u.exec(request.path) ?? []
  if (credentialId === undefined || !isObject(body)) return body
  const { assertion, encryptedOtpBundle } = body
  if (isObject(assertion)) return { ...body, assertion: { ...assertion, signature: passkeySignature } }
  if (typeof encryptedOtpBundle !== "string") return body
  const known = sealed.get(encryptedOtpBundle)
  const step = bundleFor(decodeURIComponent(credentialId), steps)
  const reference = known ?? (step === undefined ? undefined : referSealed(step, target))
  if (reference === undefined) return body
  sealed.set(encryptedOtpBundle, reference)
  return { ...body, encryptedOtpBundle: reference }
}

/** Returns the content to record, and the signature headers that replace those of the request. */
export const bindOneOff = (
  recording: Recording,
): { readonly content: RecordedContent; readonly signatures: ReadonlyMap<string, string> } => {
  const { isAccepted, request } = recording
  if (!isAccepted) return { content: request.content, signatures: new Map() }
  const body = bodyOf(request.content.body, recording)
  const signed = [...request.headers.keys()].filter((name) => name.endsWith("-wallet-signature"))
  return {
    content: body === undefined ? request.content : { body },
    signatures: new Map(signed.map((name) => [name, SandboxSignatures.sandboxSignature])),
  }
}
