/**
 * Secrets that a key service derives: the same at each start, refused with a reason when the service answers anything else, and never with the
 * credential in the reason.
 * Source: D-533.
 */
import { createHmac, createPrivateKey, createPublicKey, sign, verify } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createKey, isKeySource, KeySourceError, walletSecretFrom, webhookKeyFrom } from "@countersign/adapter-keys"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { expectOk } from "../../../packages/adapter-keys/src/Pkcs11Library.ts"
import { parsePkcs11Uri } from "../../../packages/adapter-keys/src/Pkcs11Uri.ts"
import { privateKeyOf } from "../../../packages/adapter-keys/src/PrivateKey.ts"

const token = "the-bearer-token"
const key = Buffer.alloc(32, 7)

interface Asked {
  readonly authorization: string | undefined
  readonly input: string
}
const asked: Array<Asked> = []
type Answer = (response: ServerResponse, mac: string) => void
const rightly: Answer = (response, mac) => response.end(JSON.stringify({ mac }))
let answer = rightly

const service = createServer((request, response) => {
  let body = ""
  request.on("data", (piece) => {
    body += piece
  })
  request.on("end", () => {
    const input = Buffer.from(JSON.parse(body).input, "base64").toString()
    asked.push({ authorization: request.headers.authorization, input })
    answer(response, createHmac("sha256", key).update(input).digest("base64"))
  })
})
await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve))
afterAll(() => {
  service.closeAllConnections()
  service.close()
})
const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}/keys/root`
beforeEach(() => {
  answer = rightly
  asked.length = 0
})

describe("a key service", () => {
  it("derives the same wallet secret at each start, and is asked with the token", async () => {
    const secret = await walletSecretFrom(address, token)
    expect(secret).toBe(createHmac("sha256", key).update("countersign wallet secret").digest("hex"))
    expect(await walletSecretFrom(address, token)).toBe(secret)
    expect(asked[0]).toEqual({ authorization: `Bearer ${token}`, input: "countersign wallet secret" })
  })

  it("may answer in the form of a prefix and a MAC", async () => {
    const secret = await walletSecretFrom(address)
    answer = (response, mac) => response.end(JSON.stringify({ data: { hmac: `keys:v1:${mac}` } }))
    expect(await walletSecretFrom(address)).toBe(secret)
    expect(asked.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
  })

  it("derives a webhook key that signs, and differs from the wallet secret", async () => {
    const pem = await webhookKeyFrom(address, token)
    expect(await webhookKeyFrom(address, token)).toBe(pem)
    const signature = sign("sha256", Buffer.from("text"), pem)
    expect(verify("sha256", Buffer.from("text"), createPublicKey(pem), signature)).toBe(true)
    const { d = "" } = createPrivateKey(pem).export({ format: "jwk" })
    expect(Buffer.from(d, "base64url").toString("hex")).not.toBe(await walletSecretFrom(address, token))
  })

  const wrong: ReadonlyArray<readonly [answers: string, answer: Answer, reason: RegExp]> = [
    ["a refusal", (response) => response.writeHead(403).end("no"), /answers 403/u],
    ["no JSON", (response) => response.end("<html>"), /without JSON/u],
    ["JSON of another form", (response) => response.end("null"), /without a MAC of 32 bytes/u],
    ["half a MAC", (response, mac) => response.end(JSON.stringify({ mac: mac.slice(0, 20) })), /without a MAC/u],
    ["a number", (response) => response.end('{"mac":7}'), /without a MAC/u],
    [
      "letters that base64 has not",
      (response, mac) => response.end(JSON.stringify({ mac: `${mac}!` })),
      /without a MAC/u,
    ],
    [
      "a redirect to where a MAC is",
      (response) => {
        answer = rightly
        return response.writeHead(307, { location: `${address}/elsewhere` }).end()
      },
      /cannot be reached/u,
    ],
    ["too much", (response) => response.end(`{"mac":"${"A".repeat(70_000)}"}`), /too much/u],
    [
      "half an answer",
      (response) => response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy()),
      /cannot be reached/u,
    ],
    ["nothing", (response) => response.destroy(), /cannot be reached/u],
  ]
  it.each(wrong)("that answers %s gives no secret", async (_, wrongly, reason) => {
    answer = wrongly
    const failure = await walletSecretFrom(address, token).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(KeySourceError)
    expect(String(failure)).toMatch(reason)
    expect(String(failure)).not.toContain(token)
    // The token goes to the address of the key and nowhere else.
    expect(asked).toHaveLength(1)
  })
})

describe("the name of a source", () => {
  it.each([
    ["https://keys.example/v1/hmac/root", true],
    ["http://127.0.0.1:8200/v1/hmac", true],
    ["http://[::1]:8200/v1/hmac", true],
    ["http://localhost/v1", true],
    ["pkcs11:token=a;object=b?module-path=/lib", true],
    ["http://keys.example/v1/hmac", false],
    ["http://127.0.0.1.example/v1", false],
    ["https://user:secret@keys.example/v1", false],
    ["file:///etc/secret", false],
    ["", false],
  ])("%s is one: %s", async (source, expected) => {
    expect(isKeySource(source)).toBe(expected)
    if (!expected) await expect(walletSecretFrom(source)).rejects.toThrow(/neither pkcs11: nor an https address/u)
  })

  it.each([
    ["pkcs11:", /needs token/u],
    ["pkcs11:token=a?module-path=/lib", /needs object/u],
    ["pkcs11:token=a;object=b", /needs module-path/u],
    ["pkcs11:token=a;token=b;object=c?module-path=/lib", /token twice/u],
    ["pkcs11:token=a;object=b?module-path=/lib&pin-value=1234", /an attribute that is not one of/u],
    ["pkcs11:token=a;object=%zz?module-path=/lib", /not percent-encoded/u],
    ["pkcs11:token=a;object=b;type=private?module-path=/lib", /type secret-key/u],
    ["pkcs11:token=a;object=b?module-path=/etc/hostname", /not a PKCS#11 library/u],
  ])("%s is refused", async (source, reason) => {
    const failure = await walletSecretFrom(source, token).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(KeySourceError)
    expect(String(failure)).toMatch(reason)
    expect(String(failure)).not.toContain("1234")
  })

  it("of a key service creates no key", () => {
    expect(() => createKey(address)).toThrow(/only a key of a token/u)
  })
})

describe("the address of a key in a token", () => {
  it("has labels and a path, percent-encoded, and attributes may be empty parts", () => {
    expect(parsePkcs11Uri("pkcs11:token=a%20b;;object=c%3Bd;type=secret-key?module-path=%2Flib&")).toEqual({
      token: "a b",
      object: "c;d",
      modulePath: "/lib",
      pinSource: undefined,
    })
  })

  it.each([
    ["/run/pin", "/run/pin"],
    ["file:/run/pin", "/run/pin"],
    ["file:///run/pin", "/run/pin"],
    ["/run/file:/pin", "/run/file:/pin"],
  ])("may name a file with the PIN: %s", (source, path) => {
    expect(parsePkcs11Uri(`pkcs11:token=a;object=b?module-path=/lib&pin-source=${source}`).pinSource).toBe(path)
  })

  it("has no attribute without a name", () => {
    for (const part of ["=a", "token", "object", ""])
      expect(() => parsePkcs11Uri(`pkcs11:${part};object=b?module-path=/lib`)).toThrow(
        part === "" ? /needs token/u : /an attribute that is not one of token, object, type, module-path, pin-source/u,
      )
  })
})

describe("an answer of a token", () => {
  it.each([
    [49, "the device has no memory left"],
    [50, "the device was removed"],
    [112, "the token does not support HMAC with SHA-256"],
    [160, "the PIN is wrong"],
    [163, "the PIN has expired"],
    [164, "the PIN is locked"],
    [182, "the session is read-only"],
    [224, "there is no token"],
    [257, "the user is not the one that may use the key"],
    [0x30, "the token answers 0x30"],
    [1, "the token answers 0x1"],
  ])("%i is named: %s", (value, reason) => {
    expect(() => expectOk(value, "the login")).toThrow(new KeySourceError(`the login: ${reason}`))
    expect(() => expectOk(value, "the login", [2, value])).not.toThrow()
  })

  it("0 is no problem", () => expect(() => expectOk(0, "the login")).not.toThrow())
})

describe("a private key from random bytes", () => {
  it("is in PEM, in lines of 64 characters", () => {
    const lines = privateKeyOf(Buffer.alloc(64, 9)).split("\n")
    expect(lines.map((line) => line.length)).toEqual([30, 64, 4, 28, 0])
  })

  const scalarOf = (random: Uint8Array) => createPrivateKey(privateKeyOf(random)).export({ format: "jwk" }).d

  it("is one more than the remainder by the order of the curve, less one", () => {
    const one = Buffer.alloc(32)
    one[31] = 1
    expect(scalarOf(Buffer.alloc(64))).toBe(one.toString("base64url"))
    const orderLessOne = Buffer.from("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", "hex")
    expect(scalarOf(orderLessOne)).toBe(one.toString("base64url"))
    orderLessOne[31] = 0x4f
    expect(scalarOf(orderLessOne)).toBe(
      Buffer.from("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", "hex").toString("base64url"),
    )
  })
})
