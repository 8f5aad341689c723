/** The worked example of the guide, signed by the package, and its Python by the example bank. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { RailRefusals } from "@countersign/core/ports"
import { Redacted } from "effect"
import { expect, it } from "vitest"
import { isSigned, sign } from "../../../packages/ports-http/src/signing/Signatures.ts"
import { type Direction, signedText } from "../../../packages/ports-http/src/signing/SignedText.ts"
import { repository } from "../packages/Packed.ts"

const guide = readFileSync(join(repository, "docs/guides/ports-over-http.md"), "utf8")
const part = (pattern: RegExp): string => {
  const [, found] = pattern.exec(guide) ?? []
  if (found === undefined) throw new Error(`the guide has no ${pattern}`)
  return found
}

const secret = part(/With the secret `([^`]+)`/u)
const lines = part(/the lines are\n\n```text\n(.*?)\n```/su)
const [, , , path = "", timestamp = "", id = ""] = lines.split("\n")
const messageOf = (direction: Direction, methodOrStatus: string, body: string) => ({
  direction,
  methodOrStatus,
  path,
  timestamp,
  id,
  body: new TextEncoder().encode(body),
})
const request = messageOf("request", "POST", part(/and the body\n`([^`]+)`/u))
const answer = messageOf("answer", "200", part(/The answer `([^`]+)`/u))
const headers = [part(/and the header is `([^`]+)`/u), part(/status 200 is signed\n`([^`]+)`/u)] as const

it("has the lines and the signatures of the request and its answer", () => {
  expect(signedText(request)).toBe(lines)
  const secrets = [Redacted.make(secret)] as const
  expect([sign(secrets, request), sign(secrets, answer)]).toEqual(headers)
  expect([isSigned(secrets, request, headers[0]), isSigned(secrets, answer, headers[0])]).toEqual([true, false])
})

it("lists each reason of a refusal", () => {
  const [, list = ""] = /\*\*Reasons\*\* are (.*?)\. /su.exec(guide) ?? []
  expect([...list.matchAll(/`([A-Z_]+)`/gu)].map(([, reason]) => reason)).toEqual([...RailRefusals.keys])
})

it("shows Python that signs so, and that the example bank runs", () => {
  const python = part(/```python\n(.*?)```/su)
  expect(readFileSync(join(repository, "examples/bank-python/bank.py"), "utf8")).toContain(python)
  const words = JSON.stringify([request.direction, request.methodOrStatus, path, timestamp, id])
  const script = `import base64, hashlib, hmac, sys
SECRETS = [${JSON.stringify(secret)}]
${python}
print(macs(*${words}, sys.stdin.buffer.read())[0])`
  const run = spawnSync("python3", ["-c", script], { input: Buffer.from(request.body), encoding: "utf8" })
  if (run.error !== undefined) throw new Error("this test needs python3, which cannot be started: install it")
  expect([run.stderr, run.stdout.trim()]).toEqual(["", headers[0]])
})
