/** The command runs as a user that has a number and no entry in the machine's list of users, as a container's process does. */
import { join } from "node:path"
import { expect, it } from "vitest"
import { execute } from "../packages/Packed.ts"
import { repository } from "./ServerProcess.ts"

/** Makes the two calls that read the entry fail, for a user of any machine. */
const withoutEntry = `data:text/javascript,${encodeURIComponent(`
  import os from "node:os"
  import { syncBuiltinESMExports } from "node:module"
  const fail = () => { throw new Error("uv_os_get_passwd returned ENOENT") }
  Object.assign(os, { userInfo: fail, homedir: fail })
  syncBuiltinESMExports()
`)}`

const words = ["--conditions=@countersign/source", `--import=${withoutEntry}`]
const command = join(repository, "packages/cli/bin/countersign.js")

it("prints its version", async () => {
  expect(await execute("node", [...words, command, "--version"], { cwd: repository })).toMatch(/\d+\.\d+\.\d+/u)
})

it("names the operator by the user's number", async () => {
  const help = await execute("node", [...words, command, "operate", "jobs", "--help"], { cwd: repository })
  expect(help).toContain("--operator")
  const name = `import { operatorName } from ${JSON.stringify(join(repository, "packages/cli/src/OperatorName.ts"))}
    console.log(operatorName())`
  const printed = await execute("node", [...words, "--input-type=module", "--eval", name], { cwd: repository })
  expect(printed.trim()).toBe(`uid ${process.getuid?.()}`)
})
