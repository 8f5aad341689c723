/** The approver's passkey in the browser: registering one, and using it. Texts are base64url. */

const base64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCodePoint(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.codePointAt(0) ?? 0)

/** The person has cancelled the passkey, or the device has none. */
export class NoPasskey extends Error {}

export const createPasskey = async ({
  approver,
  challenge,
}: {
  readonly approver: string
  readonly challenge: string
}) => {
  const created = await navigator.credentials.create({
    publicKey: {
      challenge: new TextEncoder().encode(challenge),
      rp: { name: "Approvals" },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name: approver, displayName: approver },
      pubKeyCredParams: [
        { type: "public-key", alg: -7 },
        { type: "public-key", alg: -257 },
      ],
      authenticatorSelection: { userVerification: "required", residentKey: "preferred" },
    },
  })
  const { response } = created as PublicKeyCredential
  const { attestationObject, clientDataJSON } = response as AuthenticatorAttestationResponse
  return {
    credentialId: (created as PublicKeyCredential).id,
    clientDataJson: base64Url(clientDataJSON),
    attestationObject: base64Url(attestationObject),
  }
}

export const usePasskey = async (challenge: string, credentialId: string) => {
  const used = await navigator.credentials.get({
    publicKey: {
      challenge: new TextEncoder().encode(challenge),
      allowCredentials: [{ type: "public-key", id: bytesOf(credentialId) }],
      userVerification: "required",
    },
  })
  const { response } = used as PublicKeyCredential
  const { authenticatorData, clientDataJSON, signature } = response as AuthenticatorAssertionResponse
  return {
    credentialId,
    clientDataJson: base64Url(clientDataJSON),
    authenticatorData: base64Url(authenticatorData),
    signature: base64Url(signature),
  }
}
