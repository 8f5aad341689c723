/** Verifies the signature of a webhook over the received bytes, before they are parsed. */
import { verify } from "node:crypto"

/** `key`: the response of `GET /webhooks/public-key`; `header`: the value of `X-Service-Signature`. */
export const isFromTheService = (key: string, header: string, body: Uint8Array): boolean => {
  const { s: signature } = JSON.parse(header) as { readonly s: string }
  return verify("sha256", body, key, Buffer.from(signature, "base64"))
}
