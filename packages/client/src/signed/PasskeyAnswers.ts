/**
 * Between the wire and `navigator.credentials`: the challenge on its way in, the answers on their way out.
 * Source: wire contract 4.3 to 4.5.
 */
import { Base64Url } from "effect/encoding"

/** What is read of a browser's `PublicKeyCredential`, which this package knows no type of. */
interface Credential<Response> {
  readonly rawId: ArrayBuffer
  readonly response: Response
}

const text = (bytes: ArrayBuffer): string => Base64Url.encode(new Uint8Array(bytes))

/** The challenge of a challenge's answer, as `navigator.credentials.get` takes it: the bytes of the text itself. */
export const challengeBytes = (challenge: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(challenge)

/** `attestation` of a registration, from what `navigator.credentials.create` gave. */
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

/** `assertion` of a verification, from what `navigator.credentials.get` gave. */
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
