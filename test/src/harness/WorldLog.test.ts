/** The log of a world: kept with the world's time, and printed by the runner when the test fails. Source: D-448. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Rails } from "@countersign/core/ports"
import { agentHarness, harness } from "@countersign/test"
import { Effect, Layer } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import * as WorldLog from "../../../packages/test/src/harness/report/WorldLog.ts"

/** A rail with a programming error. */
const broken = Layer.succeed(Rails, {
  inspectPull: () => Effect.succeed({ pullable: true, funds: "unknown" }),
  pull: () => Effect.die(new TypeError("the bank's library is broken")),
  push: () => Effect.succeed({ _tag: "Done" }),
  inquire: () => Effect.succeed({ _tag: "NotReceived" }),
  refund: () => Effect.succeed({ _tag: "Done" }),
  cancel: () => Effect.succeed({ _tag: "Done" }),
})

const pulling = `await pay.send("POST", "/transfer-in", {
  body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 500 },
})`

describe("the log of a world", () => {
  it("has the failure of a rail with the world's time, and no secret", async () => {
    await using pay = await agentHarness({}, { ports: broken, startsAt: "2027-01-01T00:00:00Z" })
    expect(pay.log()).toEqual([])
    await pay.send("POST", "/transfer-in", {
      body: { source: { accountId: pay.sources["000"] }, destination: { accountId: pay.accountId }, amount: 500 },
    })
    await pay.settle()
    const lines = pay.log().filter((line) => line.includes("job failed"))
    expect(lines).toEqual([
      expect.stringMatching(
        /^timestamp=2027-01-01T00:00:00.000Z level=ERROR .*transfer\.pull.*the bank's library is broken/u,
      ),
    ])
    expect(pay.log().join()).not.toMatch(new RegExp(`${pay.accessToken}|${pay.credentials.clientSecret}`, "u"))
  })

  it("belongs to one world: a fork has its own", async () => {
    await using pay = await harness()
    await using fork = await pay.fork()
    await fork.run(Effect.logWarning("only here"))
    expect([pay.log().length, fork.log().length]).toEqual([0, 1])
  })

  it("keeps the last thousand lines and says how many it dropped", async () => {
    const log = WorldLog.make()
    await Effect.runPromise(
      Effect.forEach(Array.from({ length: 1002 }), (_, index) => Effect.logInfo(`line ${index}`), {
        discard: true,
      }).pipe(Effect.provide(log.layer)),
    )
    const [first, second, ...more] = log.lines()
    expect(first).toBe("(2 earlier lines were dropped)")
    expect(second).toContain('message="line 2"')
    expect(more).toHaveLength(999)
  })
})

describe("a failed test", () => {
  const folder = mkdtempSync(fileURLToPath(new URL("../../../.failing-", import.meta.url)))
  afterAll(() => rmSync(folder, { recursive: true }))

  const bodyOf = (runner: string) => `import { agentHarness } from "@countersign/test"
import { Rails } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { it } from "${runner}"
const ports = Layer.succeed(Rails, {
  inspectPull: () => Effect.succeed({ pullable: true, funds: "unknown" }),
  pull: () => Effect.die(new Error("the library of " + name)),
})
let name
for (const [title, fails] of [["fails", true], ["passes", false]]) it(title, async () => {
  name = title
  await using pay = await agentHarness({}, { ports })
  ${pulling}
  await pay.settle()
  if (fails) throw new Error("on purpose")
})
`
  const run = (name: string, runner: string, args: ReadonlyArray<string>) => {
    const file = join(folder, name)
    writeFileSync(file, bodyOf(runner))
    const { NODE_TEST_CONTEXT: _, VITEST: __, ...env } = process.env
    const { stderr, stdout } = spawnSync(process.execPath, [...args, file], { encoding: "utf8", env })
    return `${stdout}${stderr}`
  }

  it.each([
    ["node:test", "failing.test.mjs", ["--conditions=@countersign/source", "--test"]],
    [
      "vitest",
      "failing.spec.ts",
      [
        fileURLToPath(new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url)),
        "run",
        "--config",
        fileURLToPath(new URL("FailingConfig.ts", import.meta.url)),
        "--root",
        folder,
      ],
    ],
  ])("is printed with the log of its world by %s, and a passed test without", (runner, name, args) => {
    const output = run(name, runner, args)
    expect(output).toContain("on purpose")
    expect(output).toContain("The log of the world:")
    expect(output).toContain("the library of fails")
    expect(output).not.toContain("the library of passes")
  })
})
