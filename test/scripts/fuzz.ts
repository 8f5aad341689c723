/**
 * More wrong inputs than every run can wait for: `npm run fuzz -- 1000000` gives each decoder a million, `npm run fuzz` two.
 * Source: D-169. Ends with the exit code of the tests.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"

const [inputs = "2000000"] = process.argv.slice(2)
if (!/^[1-9]\d*$/u.test(inputs)) throw new Error(`how many inputs? ${inputs} is no number`)

const tests = ["test/src/crypto/Fuzz.test.ts", "test/src/wallet/Fuzz.test.ts"]
const run = spawn("vitest", ["run", ...tests], { stdio: "inherit", env: { ...process.env, COUNTERSIGN_FUZZ: inputs } })
const [code] = await once(run, "exit")
process.exitCode = code ?? 1
