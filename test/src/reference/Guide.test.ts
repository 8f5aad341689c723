/** The guide has every event and every machine, and its worked signature verifies. Source: D-440. */
import { createPublicKey, ECDH, verify } from "node:crypto"
import { EventTypes } from "@countersign/core/models"
import { machines } from "@countersign/core/verify"
import { expect, it } from "vitest"
import { send } from "../wire/FakeService.ts"

const response = await send("/docs/guide", { authorization: null })
const page = await response.text()

it("runs no scripts and loads nothing", () => {
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'unsafe-inline'")
  expect(page).not.toMatch(/<script|<img|<iframe|<link|@import|\son\w+=/iu)
})

it("has every event, and every machine as a picture", () => {
  expect(EventTypes.keys.filter((type) => !page.includes(`<code>${type}</code>`))).toEqual([])
  const named = Object.values<unknown>(machines).flatMap((machine) =>
    typeof machine === "object" && machine !== null && "arrows" in machine
      ? [String(Reflect.get(machine, "name"))]
      : [],
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !page.includes(`aria-label="State machine ${name};`))).toEqual([])
})

it("has headings of unique ids to which its contents lead", () => {
  const ids = [...page.matchAll(/\sid="([^"]+)"/gu)].map(([, id]) => id)
  const targets = [...page.matchAll(/href="#([^"]+)"/gu)].map(([, target]) => target)
  expect(targets.filter((target) => !ids.includes(target))).toEqual([])
})

it("works a signature through that verifies", () => {
  const unescaped = page.replaceAll("&quot;", '"')
  const payload = /"payloadToSign": ("(?:[^"\\]|\\.)*")/u.exec(unescaped)?.[1] ?? '""'
  const stamp = /Service-Wallet-Signature: ([\w-]+)/u.exec(unescaped)?.[1] ?? ""
  const { publicKey, scheme, signature } = JSON.parse(Buffer.from(stamp, "base64url").toString())
  expect(unescaped).toContain(`"signature": "${signature}"`)
  expect(scheme).toBe("SIGNATURE_SCHEME_TK_API_P256")
  const point = Buffer.from(ECDH.convertKey(publicKey, "prime256v1", "hex", "hex", "uncompressed").toString(), "hex")
  const x = point.subarray(1, 33).toString("base64url")
  const y = point.subarray(33).toString("base64url")
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" })
  expect(verify("sha256", Buffer.from(JSON.parse(payload)), key, Buffer.from(signature, "hex"))).toBe(true)
})
