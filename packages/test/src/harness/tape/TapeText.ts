/** Exports a tape as text: a program, a test, or curl commands. */
import { parts } from "./References.ts"
import type { Json, Tape, TapeCall } from "./Tape.ts"

/** Converts a text with references to a JavaScript expression. */
const expression = (text: string): string => {
  const found = parts(text)
  const [only] = found
  if (found.length === 1 && only !== undefined && typeof only !== "string") return access(only.step, only.path)
  if (found.every((part) => typeof part === "string")) return JSON.stringify(text)
  const inside = found.map((part) =>
    typeof part === "string" ? part.replace(/[`\\$]/gu, "\\$&") : `\${${access(part.step, part.path)}}`,
  )
  return `\`${inside.join("")}\``
}

const access = (step: number, path: string): string =>
  `a${step}.body${path
    .split(".")
    .map((name) =>
      /^\d+$/u.test(name) ? `[${name}]` : /^[A-Za-z_$][\w$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`,
    )
    .join("")}`

/** Converts a value with references to a JavaScript expression. */
const literal = (value: Json): string => {
  if (typeof value === "string") return expression(value)
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`
  const members = Object.entries(value).map(([name, inside]) => `${JSON.stringify(name)}: ${literal(inside)}`)
  return `{ ${members.join(", ")} }`
}

const optionsOf = ({ as, body, headers }: TapeCall): string => {
  const members = [
    ...(as === "platform"
      ? []
      : [`as: ${typeof as === "string" ? JSON.stringify(as) : `{ token: ${expression(as.token)} }`}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: ${literal(headers)}`]),
    ...(body === undefined ? [] : [`body: ${literal(body)}`]),
  ]
  return members.length === 0 ? "" : `, { ${members.join(", ")} }`
}

const sending = (send: string, call: TapeCall): string =>
  `await ${send}(${JSON.stringify(call.method)}, ${expression(call.path)}${optionsOf(call)})`

/** Exports a test for `node:test` that runs on its own harness. */
export const asTest = (tape: Tape, name = "the tape"): string => {
  const lines = tape.steps.flatMap((step, index) =>
    step._tag === "Advance"
      ? [`await pay.clock.advance(${step.millis})`]
      : [`const a${index} = ${sending("pay.send", step)}`, `assert.equal(a${index}.status, ${step.answer.status})`],
  )
  return `import assert from "node:assert/strict"
import { test } from "node:test"
import { harness } from "@countersign/test"

test(${JSON.stringify(name)}, async () => {
  await using pay = await harness()
${lines.map((line) => `  ${line}`).join("\n")}
})
`
}

/**
 * Exports a program for any service. It reads BASE_URL, CLIENT_ID and CLIENT_SECRET from its environment. Its exit code is
 * 0 if all statuses are those of the tape.
 */
export const asScript = (tape: Tape): string => {
  const lines = tape.steps.flatMap((step, index) =>
    step._tag === "Advance"
      ? [`await advance(${step.millis})`]
      : [`const a${index} = ${sending("send", step)}`, `expect(${index}, a${index}, ${step.answer.status})`],
  )
  return `const { BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env
const authorization = (as) =>
  as === "nobody"
    ? {}
    : { authorization: as === "platform" ? \`Basic \${btoa(\`\${CLIENT_ID}:\${CLIENT_SECRET}\`)}\` : \`Bearer \${as.token}\` }
const send = async (method, path, { as = "platform", headers = {}, body } = {}) => {
  const content = body === undefined ? {} : { "content-type": "application/json" }
  const response = await fetch(\`\${BASE_URL}\${path}\`, {
    method,
    headers: { ...authorization(as), ...content, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) }
}
const advance = async (millis) => {
  const moved = await send("POST", "/sandbox/clock/advance", { body: { seconds: Math.ceil(millis / 1000) } })
  if (moved.status !== 200) throw new Error(\`the clock could not be advanced: \${JSON.stringify(moved.body)}\`)
}
const expect = (step, answer, status) => {
  console.log(step, answer.status, JSON.stringify(answer.body))
  if (answer.status === status) return
  console.error(\`step \${step} returned \${answer.status}; the tape has \${status}\`)
  process.exitCode = 1
}

${lines.join("\n")}
`
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Converts a text with references to a shell word. */
const word = (text: string): string =>
  parts(text)
    .map((part) => (typeof part === "string" ? quoted(part) : `"$(answer ${part.step} ${part.path})"`))
    .join("")

const curl = (call: TapeCall, index: number): string => {
  const { as, body, headers, method, path } = call
  const authorization =
    as === "nobody"
      ? []
      : as === "platform"
        ? [`-u "$CLIENT_ID:$CLIENT_SECRET"`]
        : [`-H 'Authorization: Bearer '${word(as.token)}`]
  const words = [
    `curl -s -X ${method} "$BASE_URL"${word(path)}`,
    ...authorization,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: `)}${word(value)}`),
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `-d ${word(JSON.stringify(body))}`]),
    `| tee "$ANSWERS/${index}.json"; echo`,
  ]
  return words.join(" ")
}

/**
 * Exports curl commands for a shell. They read BASE_URL, CLIENT_ID and CLIENT_SECRET from the environment and use `node` to
 * extract values from earlier responses.
 */
export const asCurl = (tape: Tape): string => {
  const lines = tape.steps.map((step, index) =>
    step._tag === "Call"
      ? curl(step, index)
      : `curl -s -X POST "$BASE_URL"/sandbox/clock/advance -u "$CLIENT_ID:$CLIENT_SECRET" -H 'content-type: application/json' -d '{"seconds":${Math.ceil(step.millis / 1000)}}'; echo`,
  )
  return `ANSWERS=$(mktemp -d)
answer() { node -p 'process.argv[2].split(".").reduce((value, name) => value[name], JSON.parse(require("fs").readFileSync(process.argv[1])))' "$ANSWERS/$1.json" "$2"; }
${lines.join("\n")}
`
}
