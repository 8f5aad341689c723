/** The named signatures of a header, also of one that is sent repeatedly. D-331. */
import { expect, it } from "vitest"
import { namedSignatures } from "../../../packages/client/src/webhook/SignatureHeaders.ts"
import { WebhookRefused } from "../../../packages/client/src/webhook/WebhookRefused.ts"

const text = (header: string) =>
  namedSignatures(header).map(({ name, signature }) => `${name} ${Buffer.from(signature).toString()}`)
const [one, two] = ["v1,b25l", "v1a,dHdv"]

it.each([
  [one, ["v1 one"]],
  [`${one} ${two}`, ["v1 one", "v1a two"]],
  [`${one}, ${two}`, ["v1 one", "v1a two"]],
  [`  ${one},   ${two} `, ["v1 one", "v1a two"]],
  [`${one} nothing ${two}`, ["v1 one", "v1a two"]],
  [Array.from({ length: 9 }, (_, n) => `v${n},b25l`).join(" "), Array.from({ length: 8 }, (_, n) => `v${n} one`)],
])("%j has %j", (header, found) => {
  expect(text(header)).toEqual(found)
})

it.each(["", " ", ",b25l", "v1,", "v1,!", "b25l", `v1,b25l ${"x".repeat(8_185)}`])("%j has none", (header) => {
  expect(() => namedSignatures(header)).toThrow(new WebhookRefused("INVALID_SIGNATURE_HEADER"))
})
