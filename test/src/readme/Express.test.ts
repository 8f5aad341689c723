/**
 * The README's Express server, started by the README's command on its own PostgreSQL database, answers the whole tour of the first steps.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { eventually } from "../e2e/Deadline.ts"
import { binaries } from "../e2e/ServerProcess.ts"
import { execute, repository } from "../packages/Packed.ts"
import { codeOf, page, section, steps } from "./Readme.ts"
import { tour, trimmed } from "./Tour.ts"

const shown = section("Embed")

it("is the code of the README", () => {
  expect(codeOf(shown)).toBe(readFileSync(join(repository, "examples/express/src/main.ts"), "utf8"))
})

it("answers the whole tour of the first steps, and signs with the key of the README's command", {
  timeout: 180_000,
}, async () => {
  const [, build = "", address, start = ""] =
    /^(npm run build) && DATABASE_URL=(\S+) (npm start .*)$/mu.exec(shown) ?? []
  expect(address).toMatch(/^postgres:/u)
  const [npm = "", ...words] = build.split(" ")
  await execute(npm, words, { cwd: repository })
  const [, makeKey = ""] = /^(node -p .*)$/mu.exec(shown) ?? []
  const webhookKey = await execute("bash", ["-c", makeKey], { cwd: repository })
  const database = await TestDatabase.create()
  const server = spawn("bash", ["-c", start], {
    cwd: repository,
    env: {
      ...process.env,
      PATH: `${binaries}:${process.env["PATH"] ?? ""}`,
      DATABASE_URL: database.url,
      WEBHOOK_KEY: webhookKey,
      WALLET_SECRET: "a secret of thirty-two characters",
      PORT: "0",
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  })
  const ended = once(server, "close")
  let output = ""
  server.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  try {
    const ready = () => /^ready (http:\/\/\S+)$/mu.exec(output)?.[1]
    const base = await eventually("the ready line", ready, (found) => found !== undefined, 60_000)
    const found = steps(section("The tour", page("docs/guides/first-steps.md")))
    const { code, stderr, stdout } = await tour(
      base ?? "",
      found.map(({ script }) => script),
    )
    expect(stdout).toEqual(found.map(({ prints }) => trimmed(prints)))
    expect([code, stderr]).toEqual([0, ""])
  } finally {
    // npm and a shell stand between: the whole group ends.
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, "SIGKILL")
    await ended
    await database.close()
  }
})
