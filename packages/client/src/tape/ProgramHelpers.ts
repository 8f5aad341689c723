/** The functions that exported programs begin with; those that a tape does not need are left out. */

/** What a program needs beyond `send`. */
export const helpersFor = (body: string): { readonly imports: string; readonly text: string } => {
  const needs = (name: string) => body.includes(`${name}(`)
  return {
    imports: needs("otp") ? `import { walletCrypto } from "@countersign/client"\n` : "",
    text: [
      ...(needs("basic") ? [basic] : []),
      ...(needs("variable") ? [variable] : []),
      ...(needs("otp") ? [otp] : []),
    ].join(""),
  }
}

const basic = `const basic = (id, secret) => \`Basic \${Buffer.from(\`\${id}:\${secret}\`).toString("base64")}\`
`

const variable = `const variable = (name) => {
  const value = process.env[name]
  if (value === undefined) throw new Error(\`set \${name}: the tape does not contain it\`)
  return value
}
`

/** The sandbox's code, sealed once for each bundle, because a signed request is sent twice with the same one. */
const otp = `const codes = new Map()
const otp = async (bundle) => {
  const wallet = walletCrypto()
  if (!codes.has(bundle)) codes.set(bundle, await wallet.sealOtp(bundle, "000000", await wallet.makeKeys()))
  return codes.get(bundle)
}
`

export const scriptHelpers = `const { BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env
const ORIGIN = new URL(BASE_URL).origin
const authorization = (as) =>
  as === "nobody"
    ? {}
    : {
        authorization:
          as === "platform"
            ? \`Basic \${Buffer.from(\`\${CLIENT_ID}:\${CLIENT_SECRET}\`).toString("base64")}\`
            : \`Bearer \${as.token}\`,
      }
const contentOf = ({ body, form }) => {
  if (form === undefined) return typeof body === "object" ? JSON.stringify(body) : body
  const parts = new FormData()
  for (const [name, value] of form) parts.append(name, value)
  return parts
}
const parse = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const send = async (method, path, { as = "platform", headers = {}, body, form } = {}) => {
  const content = body === undefined ? {} : { "content-type": "application/json" }
  const response = await fetch(path.startsWith("/") ? \`\${BASE_URL}\${path}\` : path, {
    method,
    headers: { ...authorization(as), ...content, ...headers },
    body: contentOf({ body, form }),
  })
  return { status: response.status, body: parse(await response.text()) }
}
const advance = async (millis) => {
  const moved = await send("POST", "/sandbox/clock/advance", { body: { by: \`PT\${Math.max(1, millis) / 1000}S\` } })
  if (moved.status !== 200) throw new Error(\`the clock could not be advanced: \${JSON.stringify(moved.body)}\`)
}
const expect = (step, answer, status) => {
  console.log(step, answer.status, JSON.stringify(answer.body) ?? "")
  if (answer.status === status) return
  console.error(\`step \${step} returned \${answer.status}; the tape has \${status}\`)
  process.exitCode = 1
}
`
