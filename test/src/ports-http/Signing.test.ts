/** Signatures, secrets and addresses of the contract: what is accepted at their bounds, and what is not. */
import { httpPorts } from "@countersign/ports-http"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { isPortsUrl } from "../../../packages/ports-http/src/httpPorts.ts"
import { portSecretProblem } from "../../../packages/ports-http/src/signing/PortSecretProblem.ts"
import { isSigned, sign } from "../../../packages/ports-http/src/signing/Signatures.ts"
import { signedText } from "../../../packages/ports-http/src/signing/SignedText.ts"
import { serverSecret, signatureOf } from "./PortServer.ts"

const [first, second] = [serverSecret, "another port secret of the tests 42"]
const secrets = [Redacted.make(first), Redacted.make(second)] as const
const message = {
  direction: "request",
  methodOrStatus: "POST",
  path: "/ports/rails/push",
  timestamp: "1790000000",
  id: "R1",
  body: new TextEncoder().encode("{}"),
} as const
const own = (secret: string) => signatureOf(secret, ["request", "POST", "/ports/rails/push", "1790000000", "R1"], "{}")

describe("a signature", () => {
  it("covers seven lines", () => {
    expect(signedText(message).split("\n")).toEqual([
      "v1",
      "request",
      "POST",
      "/ports/rails/push",
      "1790000000",
      "R1",
      "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    ])
  })

  it("is one for each secret, the newest first", () => {
    expect(sign(secrets, message)).toBe(`${own(first)} ${own(second)}`)
    expect(sign([secrets[1]], message)).toBe(own(second))
  })

  it("is valid by each secret, among others", () => {
    const stranger = own("a secret of a stranger")
    const valid = [own(first), own(second), `${stranger} ${own(second)}`, `v2,x ${own(first)}`, `x ${own(first)}`]
    expect(valid.filter((header) => !isSigned(secrets, message, header))).toEqual([])
    expect(isSigned([secrets[0]], message, own(second))).toBe(false)
  })

  it.each([
    null,
    undefined,
    "",
    "v1,",
    own(first).slice(3),
    own(first).replace("v1,", "v2,"),
    own(first).slice(0, -8),
    own(first).replace("v1,", "v1,AAAA"),
  ])("is not %j", (header) => {
    expect(isSigned(secrets, message, header)).toBe(false)
  })

  it("is read among the first four of a header of 1024 characters", () => {
    const others = (count: number) => "v1,AAAA ".repeat(count)
    expect(isSigned(secrets, message, others(3) + own(first))).toBe(true)
    expect(isSigned(secrets, message, others(4) + own(first))).toBe(false)
    const long = (length: number) => own(first).padEnd(length, " ")
    expect([isSigned(secrets, message, long(1024)), isSigned(secrets, message, long(1025))]).toEqual([true, false])
  })

  it.each([
    { direction: "answer" },
    { methodOrStatus: "200" },
    { path: "/ports/rails/pull" },
    { timestamp: "1790000001" },
    { id: "R2" },
    { body: new TextEncoder().encode("{} ") },
  ] as const)("is not valid for a message with another %o", (change) => {
    expect(isSigned(secrets, { ...message, ...change }, own(first))).toBe(false)
  })
})

describe("the secrets", () => {
  const random = () => Redacted.make(crypto.randomUUID())
  const problem = (...all: ReadonlyArray<Redacted.Redacted>) => portSecretProblem(all)
  it("are one or two, of 32 characters", () => {
    const short = Redacted.make(crypto.randomUUID().slice(0, 31))
    expect([problem(random()), problem(random(), random())]).toEqual([undefined, undefined])
    expect(problem(Redacted.make(crypto.randomUUID().slice(0, 32)))).toBeUndefined()
    expect(problem()).toBe("a secret is needed")
    expect(problem(random(), random(), random())).toBe("at most 2 secrets are valid at a time")
    for (const all of [[short], [random(), short]]) expect(problem(...all)).toBe("has fewer than 32 characters")
  })
})

describe("the address of a bank", () => {
  it.each(["https://bank.example.com", "http://127.0.0.1:8080/ports/", "https://bank.example.com/a/b"])(
    "may be %s",
    (url) => {
      expect(isPortsUrl(url)).toBe(true)
    },
  )

  const wrong = [
    "",
    "bank.example.com",
    "ftp://bank.example.com",
    "xhttp://bank.example.com",
    "https2://bank.example.com",
    "https://user@bank.example.com",
    "https://:word@bank.example.com",
    "https://bank.example.com?a=b",
    "https://bank.example.com#a",
  ]
  it.each(wrong)("cannot be %j", async (url) => {
    expect(isPortsUrl(url)).toBe(false)
    const { rails } = httpPorts({ url, secrets: [Redacted.make(crypto.randomUUID())] })
    expect(await Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(rails))))).toMatchObject({
      _tag: "PortOptionsError",
      message: "`url` must be an http or https address without credentials, query and fragment.",
    })
  })

  it("does not make up for a secret that is too short", async () => {
    const { rails } = httpPorts({ url: "https://bank.example.com", secrets: [Redacted.make("short")] })
    expect(await Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(rails))))).toMatchObject({
      message: "`secrets`: has fewer than 32 characters.",
    })
  })
})
