/** The README's test runs as it stands there, in Node's own test runner. */
import { spawnSync } from "node:child_process"
import { expect, it } from "vitest"
import { section } from "./Readme.ts"

it("runs the README's test", { timeout: 120_000 }, () => {
  const [, code = ""] = /^```ts\n(.*?)^```$/msu.exec(section("In a test")) ?? []
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--conditions=@countersign/source", "--input-type=module-typescript", "--test-reporter=tap", "-e", code],
    { encoding: "utf8" },
  )
  expect(stdout).toContain("ok 1 - an approved action moves the money, once")
  expect(stdout).toContain("ok 2 - a client that meets a fault")
  expect(status, stdout).toBe(0)
})
