/**
 * An OIDC provider on a loopback socket: it publishes a discovery document and keys that can be rotated, and signs tokens.
 * Source: wire contract 4.12; OpenID Connect Discovery 1.0, 4.
 */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { OidcClaims } from "./OidcPerson.ts"

type Algorithm = "ES256" | "RS256"

interface ProviderKey {
  readonly kid: string
  readonly algorithm: Algorithm
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export interface OidcProvider extends AsyncDisposable {
  readonly issuer: string
  /** How often each document was requested. */
  readonly asked: { readonly discovery: number; readonly keys: number }
  /** Signs a token with the newest key. `header` replaces members of the header; `undefined` omits a member. */
  readonly token: (claims: OidcClaims, header?: { readonly [member: string]: unknown }) => string
  /** Adds a key; without `keepsOld`, it removes the earlier keys. */
  readonly rotate: (options?: { readonly algorithm?: Algorithm; readonly keepsOld?: boolean }) => void
  /** Sets the responses from now on: the documents, an error, no response at all, or other documents. */
  readonly answers: (
    with_: "documents" | "error" | "nothing" | { readonly discovery?: unknown; readonly keys?: unknown },
  ) => void
}

const makeKey = (algorithm: Algorithm, kid: string): ProviderKey => {
  const pair =
    algorithm === "ES256"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 })
  return { kid, algorithm, ...pair }
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

export const oidcProvider = async (algorithm: Algorithm = "ES256"): Promise<OidcProvider> => {
  let keys: ReadonlyArray<ProviderKey> = [makeKey(algorithm, "key-1")]
  let keyCount = 1
  let answering: Parameters<OidcProvider["answers"]>[0] = "documents"
  const asked = { discovery: 0, keys: 0 }

  const documents = (issuer: string) => ({
    discovery: { issuer, jwks_uri: `${issuer}/keys` },
    keys: {
      keys: keys.map(({ algorithm: alg, kid, publicKey }) => ({
        ...publicKey.export({ format: "jwk" }),
        kid,
        alg,
        use: "sig",
      })),
    },
  })

  const respond = (which: "discovery" | "keys", response: ServerResponse) => {
    asked[which] += 1
    if (answering === "nothing") return
    const body = typeof answering === "object" && which in answering ? answering[which] : documents(issuer)[which]
    response.writeHead(answering === "error" ? 500 : 200, { "content-type": "application/json" })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  }

  const server = createServer((request, response) => {
    if (request.url === "/.well-known/openid-configuration") respond("discovery", response)
    else if (request.url === "/keys") respond("keys", response)
    else response.writeHead(404).end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`

  return {
    issuer,
    asked,
    token: (claims, header = {}) => {
      const newest = keys.at(-1) ?? makeKey(algorithm, "none")
      const input = `${part({ alg: newest.algorithm, kid: newest.kid, typ: "JWT", ...header })}.${part(claims)}`
      const signature = sign("sha256", Buffer.from(input), { key: newest.privateKey, dsaEncoding: "ieee-p1363" })
      return `${input}.${signature.toString("base64url")}`
    },
    rotate: ({ algorithm: next = algorithm, keepsOld = true } = {}) => {
      keyCount += 1
      keys = [...(keepsOld ? keys : []), makeKey(next, `key-${keyCount}`)]
    },
    answers: (next) => {
      answering = next
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
