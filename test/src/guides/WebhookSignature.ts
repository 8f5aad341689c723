/** Whether a webhook is the service's own: over the bytes as they came, before anything parses them. */
import { verify } from "node:crypto"

/** `key`: what `GET /webhooks/public-key` answers; `header`: the value of `X-Service-Signature`. */
export const isFromTheService = (key: string, header: string, body: Uint8Array): boolean => {
  const { s: signature } = JSON.parse(header) as { readonly s: string }
  return verify("sha256", body, key, Buffer.from(signature, "base64"))
}
