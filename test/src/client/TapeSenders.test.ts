/** Which credentials a tape records: what a response contained, what was refused, and nothing else. Source: D-449. */
import { senderOf } from "@countersign/client/tape"
import { expect, it } from "vitest"

const platform = { clientId: "cid", clientSecret: "sécret" }
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`

const known = (status: number) => ({
  platform,
  status,
  referenceOf: (text: string) => (text === "issued" ? "{{1:token}}" : undefined),
  variables: new Map<string, string>(),
})

it.each([
  ["no header", null, 200, "nobody"],
  ["the platform's credentials", basic("cid:sécret"), 200, "platform"],
  ["the platform's credentials without padding", basic("cid:sécret").replace(/=+$/u, ""), 200, "platform"],
  ["a token that a response contained", "Bearer issued", 200, { token: "{{1:token}}" }],
  [
    "a secret that a response contained",
    basic("other:issued"),
    200,
    { clientId: "other", clientSecret: "{{1:token}}" },
  ],
  ["a refused token", "Bearer wrong", 401, { token: "wrong" }],
  ["a refused secret with a colon", basic("cid:a:b"), 401, { clientId: "cid", clientSecret: "a:b" }],
  [
    "refused credentials of another alphabet",
    `Basic ${Buffer.from("c?>:~~~").toString("base64url")}`,
    401,
    { clientId: "c?>", clientSecret: "~~~" },
  ],
  ["refused credentials with an underscore", "Basic Pz8_Oj8_Pw", 401, { clientId: "???", clientSecret: "???" }],
  ["refused credentials that are not base64", "Basic !", 401, { clientId: "", clientSecret: "" }],
  ["an accepted token that no response contained", "Bearer mine", 200, { variable: "AUTHORIZATION_1" }],
  ["an accepted secret that no response contained", basic("other:mine"), 200, { variable: "AUTHORIZATION_1" }],
] as const)("records %s", (_, header, status, sender) => {
  expect(senderOf(header, known(status))).toEqual(sender)
})

it("never records the platform's secret under another name, even if it was refused", () => {
  expect(senderOf(basic("other:sécret"), known(401))).toEqual({ variable: "AUTHORIZATION_1" })
})
