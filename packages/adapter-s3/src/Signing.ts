/**
 * Signs requests with Signature Version 4, by the signer of the vendor's own SDK. The signature covers the digest of the body.
 * Source: D-420.
 */
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto"
import { SignatureV4 } from "@smithy/signature-v4"
import { Redacted } from "effect"
import type { S3Credentials } from "./S3Options.ts"

type Data = string | ArrayBuffer | ArrayBufferView

const bytesOf = (data: Data): string | Uint8Array => {
  if (typeof data === "string") return data
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
}

/** SHA-256 of Node, as HMAC if there is a secret. */
class Sha256 {
  readonly #secret: string | Uint8Array | undefined
  #running: Hash | Hmac

  constructor(secret?: Data) {
    this.#secret = secret === undefined ? undefined : bytesOf(secret)
    this.#running = this.#start()
  }

  #start(): Hash | Hmac {
    return this.#secret === undefined ? createHash("sha256") : createHmac("sha256", this.#secret)
  }

  update(data: Data): void {
    this.#running.update(bytesOf(data))
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#running.digest())
  }

  reset(): void {
    this.#running = this.#start()
  }
}

export interface UnsignedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

/** Returns the headers of the request with its signature. */
export const signedHeaders = async (
  { body, headers, method, url }: UnsignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: S3Credentials,
  region: string,
): Promise<Record<string, string>> => {
  const token = sessionToken === undefined ? {} : { sessionToken: Redacted.value(sessionToken) }
  const credentials = { accessKeyId, secretAccessKey: Redacted.value(secretAccessKey), ...token }
  // The path is signed as it is sent: keys and prefixes need no escapes.
  const signer = new SignatureV4({ service: "s3", region, credentials, sha256: Sha256, uriEscapePath: false })
  const { protocol, hostname, host, pathname, searchParams } = url
  const query = Object.fromEntries(searchParams)
  const signed = await signer.sign({
    method,
    protocol,
    hostname,
    path: pathname,
    query,
    headers: { ...headers, host },
    body,
  })
  // The connection names the host by itself.
  const { host: _, ...sent } = signed.headers
  return sent
}
