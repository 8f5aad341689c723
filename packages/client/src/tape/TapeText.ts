/** Exports a tape as a program: a test on a harness of its own, or a script for any address. Source: D-449. */
import { helpersFor, scriptHelpers } from "./ProgramHelpers.ts"
import { parts, type Reference, type Variable } from "./References.ts"
import type { Json, Tape, TapeCall, TapePart, TapeSender } from "./Tape.ts"

const member = ({ path, step }: Reference): string =>
  `a${step}.body${path
    .split(".")
    .map((name) =>
      /^\d+$/u.test(name) ? `[${name}]` : /^[A-Za-z_$][\w$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`,
    )
    .join("")}`

const access = (reference: Reference | Variable): string =>
  "variable" in reference
    ? `variable(${JSON.stringify(reference.variable)})`
    : reference.isSealed
      ? `await otp(${member(reference)})`
      : member(reference)

/** Converts a text with references to a JavaScript expression. */
const expression = (text: string, encode = (value: string) => value): string => {
  const found = parts(text)
  const [only] = found
  if (found.length === 1 && only !== undefined && typeof only !== "string") return encode(access(only))
  if (found.every((part) => typeof part === "string")) return JSON.stringify(found.join(""))
  const inside = found.map((part) =>
    typeof part === "string" ? part.replace(/[`\\$]/gu, "\\$&") : `\${${encode(access(part))}}`,
  )
  return `\`${inside.join("")}\``
}

/** Converts a value with references to a JavaScript expression. */
const literal = (value: Json): string => {
  if (typeof value === "string") return expression(value)
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`
  const members = Object.entries(value).map(([name, inside]) => `${JSON.stringify(name)}: ${literal(inside)}`)
  return `{ ${members.join(", ")} }`
}

const partExpression = (part: TapePart): string =>
  "value" in part
    ? expression(part.value)
    : `new File([Buffer.from(${JSON.stringify(part.base64)}, "base64")], ${JSON.stringify(part.fileName)}, { type: ${JSON.stringify(part.type)} })`

/** The `Authorization` header of credentials that the tape's target does not know by name. */
const authorizationOf = (as: TapeSender): string | undefined => {
  if (typeof as === "string" || "token" in as) return undefined
  if ("variable" in as) return `variable(${JSON.stringify(as.variable)})`
  return `basic(${expression(as.clientId)}, ${expression(as.clientSecret)})`
}

const optionsOf = ({ as, body, form, headers, text }: TapeCall): string => {
  const authorization = authorizationOf(as)
  const given = [
    ...(authorization === undefined ? [] : [`"authorization": ${authorization}`]),
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${expression(value)}`),
  ]
  const sender =
    typeof as === "string" ? JSON.stringify(as) : "token" in as ? `{ token: ${expression(as.token)} }` : `"nobody"`
  const members = [
    ...(as === "platform" ? [] : [`as: ${sender}`]),
    ...(given.length === 0 ? [] : [`headers: { ${given.join(", ")} }`]),
    ...(body === undefined ? [] : [`body: ${literal(body)}`]),
    ...(text === undefined ? [] : [`body: ${expression(text)}`]),
    ...(form === undefined
      ? []
      : [`form: [${form.map((part) => `[${JSON.stringify(part.name)}, ${partExpression(part)}]`).join(", ")}]`]),
  ]
  return members.length === 0 ? "" : `, { ${members.join(", ")} }`
}

const sending = (send: string, origin: string, call: TapeCall): string => {
  const path = expression(call.path, (value) => `encodeURIComponent(${value})`)
  return `await ${send}(${JSON.stringify(call.method)}, ${call.isOutside === true ? `${origin} + ${path}` : path}${optionsOf(call)})`
}

const missing = (index: number, reason: string): string =>
  `console.error(${JSON.stringify(`step ${index} cannot be repeated: ${reason}`)})`

/** Exports a test for `node:test` that runs on its own harness. */
export const asTest = (tape: Tape, name = "the tape"): string => {
  const lines = tape.steps.flatMap((step, index) => {
    if (step._tag === "Gap") return [missing(index, step.reason)]
    if (step._tag === "Advance")
      return [step.millis === 0 ? "await pay.settle()" : `await pay.clock.advance(${step.millis})`]
    return [
      `const a${index} = ${sending("pay.send", "new URL(pay.baseUrl).origin", step)}`,
      `assert.equal(a${index}.status, ${step.answer.status})`,
    ]
  })
  const body = lines.map((line) => `  ${line}`).join("\n")
  const { imports, text } = helpersFor(body)
  return `${imports}import assert from "node:assert/strict"
import { test } from "node:test"
import { harness } from "@countersign/test"
${text}
test(${JSON.stringify(name)}, async () => {
  await using pay = await harness()
${body}
})
`
}

/**
 * Exports a program for any service. It reads BASE_URL, CLIENT_ID and CLIENT_SECRET from its environment, and the `Authorization` headers
 * that the tape does not contain. It prints each response; its exit code is 0 if all statuses are those of the tape.
 */
export const asScript = (tape: Tape): string => {
  const body = tape.steps
    .flatMap((step, index) => {
      if (step._tag === "Gap") return [missing(index, step.reason)]
      if (step._tag === "Advance") return [`await advance(${step.millis})`]
      return [
        `const a${index} = ${sending("send", "ORIGIN", step)}`,
        `expect(${index}, a${index}, ${step.answer.status})`,
      ]
    })
    .join("\n")
  const { imports, text } = helpersFor(body)
  return `${imports}${scriptHelpers}${text}\n${body}\n`
}
