/**
 * Converts between the wire and `navigator.credentials`: challenges in, attestations and assertions out.
 * Source: wire contract 4.3 to 4.5.
 */
import { Base64Url } from "effect/encoding"

/** The members of a browser's `PublicKeyCredential` that are read; this package has no DOM types. */
interface Credential<Response> {
  readonly rawId: ArrayBuffer
  readonly response: Response
}

const text = (bytes: ArrayBuffer): string => Base64Url.encode(new Uint8Array(bytes))

/** Returns a challenge as `navigator.credentials.get` takes it: the bytes of the text itself. */
export const challengeBytes = (challenge: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(challenge)

/** Returns the `attestation` of a registration from the result of `navigator.credentials.create`. */
export const attestationOf = ({
  rawId,
  response,
}: Credential<{
  readonly clientDataJSON: ArrayBuffer
  readonly attestationObject: ArrayBuffer
  readonly getTransports?: () => ReadonlyArray<string>
}>) => ({
  credentialId: text(rawId),
  clientDataJson: text(response.clientDataJSON),
  attestationObject: text(response.attestationObject),
  transports: response.getTransports?.() ?? [],
})

/** Returns the `assertion` of a verification from the result of `navigator.credentials.get`. */
export const assertionOf = ({
  rawId,
  response,
}: Credential<{
  readonly clientDataJSON: ArrayBuffer
  readonly authenticatorData: ArrayBuffer
  readonly signature: ArrayBuffer
  readonly userHandle: ArrayBuffer | null
}>) => ({
  credentialId: text(rawId),
  clientDataJson: text(response.clientDataJSON),
  authenticatorData: text(response.authenticatorData),
  signature: text(response.signature),
  ...(response.userHandle === null ? {} : { userHandle: text(response.userHandle) }),
})
