/** The Python of the guide verifies what the service signs, and nothing else. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { foreignKey, platformId, sentAt, signedWebhook, webhookKeys } from "../../client/SignedWebhook.ts"
import { repository } from "../../packages/Packed.ts"

const file = join(repository, "test/src/guides/webhooks/receive.py")
const code = readFileSync(file, "utf8")
const program = `import sys
${code}
given = json.load(sys.stdin)
headers = {name.lower(): value for name, value in given["headers"].items()}
try:
    event = event_of(headers, given["body"].encode(), given["secrets"], given["platformId"], given["now"])
    print(json.dumps(answer_to(event)))
except (KeyError, ValueError) as error:
    print(json.dumps(str(error)))
`

interface Given {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  readonly secrets?: ReadonlyArray<string>
  readonly platformId?: string
  readonly now?: number
}

const secretsOfKeys = webhookKeys.map(({ secret }) => secret)

const received = (given: Given): unknown => {
  const input = JSON.stringify({ secrets: secretsOfKeys, platformId, now: sentAt / 1000, ...given })
  const run = spawnSync("python3", ["-c", program], { input, encoding: "utf8" })
  if (run.error !== undefined) throw new Error("this test needs python3, which cannot be started: install it")
  expect(run.stderr).toBe("")
  return JSON.parse(run.stdout)
}

const { body, headers } = await signedWebhook()
const isForged = "the signature is not valid"
const isOld = "the delivery is old, or the clock is wrong"

it.each(secretsOfKeys.map((secret, at) => [at, secret] as const))("accepts a delivery by its key %i", (_, secret) => {
  expect(received({ headers, body, secrets: [secret] })).toEqual({})
})

it("answers the challenge of a new endpoint", async () => {
  const event = { type: "WEBHOOK_ENDPOINT.VERIFICATION", data: { challenge: "c" } }
  expect(received(await signedWebhook({ event }))).toEqual({ challenge: "c" })
})

const now = sentAt / 1000
const refused: ReadonlyArray<readonly [what: string, changes: Partial<Given>, answer: string]> = [
  ["a changed body", { body: `${body} ` }, isForged],
  ["another time", { headers: { ...headers, "webhook-timestamp": String(now + 1) } }, isForged],
  ["a key of another platform", { secrets: [foreignKey.secret] }, isForged],
  ["a signature that is not ASCII", { headers: { ...headers, "webhook-signature": "v1,é" } }, isForged],
  ["no signature", { headers: { "webhook-id": "1", "webhook-timestamp": String(now) } }, "'webhook-signature'"],
  ["an age of more than five minutes", { now: now + 301 }, isOld],
  ["a time in the future", { now: now - 301 }, isOld],
  ["another platform", { platformId: "PlatformConfig:other" }, "the event belongs to another platform"],
]
it.each(refused)("refuses a delivery with %s", (_, changes, answer) => {
  expect(received({ headers, body, ...changes })).toBe(answer)
})

it("is what the guide shows", () => {
  const guide = readFileSync(join(repository, "docs/guides/webhooks.md"), "utf8")
  const [, shown = ""] = /```python\n(.*?)```/su.exec(guide) ?? []
  expect(shown).not.toBe("")
  expect(code).toContain(shown)
})
