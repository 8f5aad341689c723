/**
 * A key of a key service that computes HMAC with SHA-256 over HTTP: `POST` of `{ "input": base64 }` answers `{ "mac": base64 }`, or
 * `{ "data": { "hmac": "PREFIX:base64" } }`.
 * Source: D-533.
 */
import { KeySourceError } from "./KeySourceError.ts"

const timeoutMillis = 10_000
const answerBytesMax = 64 * 1024
const macBytes = 32

const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(hostname)

/** The address of the key. Over plain http only where nobody else listens. */
export const isHttpSource = (source: string): boolean => {
  if (!URL.canParse(source)) return false
  const { hostname, password, protocol, username } = new URL(source)
  return (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) && `${username}${password}` === ""
}

const boundedText = async (response: Response): Promise<string> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.byteLength
    if (size > answerBytesMax) throw new KeySourceError("the key service answers with too much")
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString("utf8")
}

const macIn = (text: string): Uint8Array => {
  let answer: { readonly mac?: unknown; readonly data?: { readonly hmac?: unknown } }
  try {
    answer = Object(JSON.parse(text))
  } catch {
    throw new KeySourceError("the key service answers without JSON")
  }
  const found = answer.mac ?? Object(answer.data).hmac
  const encoded = typeof found === "string" ? found.slice(found.lastIndexOf(":") + 1) : ""
  const mac = Buffer.from(encoded, "base64")
  if (mac.byteLength !== macBytes || mac.toString("base64") !== encoded)
    throw new KeySourceError(`the key service answers without a MAC of ${macBytes} bytes`)
  return mac
}

/** Returns HMAC-SHA-256 of the text under the key at this address. `token`: the bearer token. */
export const macOverHttp = async (source: string, token: string | undefined, text: string): Promise<Uint8Array> => {
  try {
    const response = await fetch(source, {
      method: "POST",
      redirect: "error",
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ input: Buffer.from(text, "utf8").toString("base64") }),
      signal: AbortSignal.timeout(timeoutMillis),
    })
    if (!response.ok) throw new KeySourceError(`the key service answers ${response.status}`)
    return macIn(await boundedText(response))
  } catch (error) {
    // What fetch reports may repeat the address.
    throw error instanceof KeySourceError
      ? error
      : new KeySourceError("the key service cannot be reached in 10 seconds")
  }
}
