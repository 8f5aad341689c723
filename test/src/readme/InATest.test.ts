/** The README's test runs unchanged, in Node's own test runner. */
import { spawnSync } from "node:child_process"
import { expect, it } from "vitest"
import { codeOf, section } from "./Readme.ts"

it("runs the README's test", { timeout: 120_000 }, () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      "--conditions=@countersign/source",
      "--input-type=module-typescript",
      "--test-reporter=tap",
      "-e",
      codeOf(section("Test")),
    ],
    { encoding: "utf8" },
  )
  expect(stdout).toContain("ok 1 - an approved action moves the money, once")
  expect(status, stdout).toBe(0)
})
