/**
 * More wrong inputs than every run can wait for: `npm run fuzz -- 1000000` sends each decoder of the wallet a million, `npm run fuzz`
 * two; `npm run fuzz -- operations 100000` divides 100,000 grown requests among the operations (`COUNTERSIGN_FUZZ_SEED`
 * varies them); `npm run fuzz -- http 100000` has 100,000 random conversations with the raw listener.
 * Source: D-169, D-313. Ends with the exit code of the tests.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"

const suites: { readonly [name: string]: ReadonlyArray<string> } = {
  wallet: ["test/src/crypto/Fuzz.test.ts", "test/src/wallet/Fuzz.test.ts"],
  operations: ["test/src/hostile/GrownInputs.test.ts"],
  http: ["test/src/hostile/ListenerFuzz.test.ts"],
}

const words = process.argv.slice(2)
const suite = words.find((word) => word in suites) ?? "wallet"
const [inputs = suite === "wallet" ? "2000000" : "100000"] = words.filter((word) => word !== suite)
if (!/^[1-9]\d*$/u.test(inputs)) throw new Error(`how many inputs? ${inputs} is no number`)

const env = { ...process.env, COUNTERSIGN_FUZZ: inputs }
const run = spawn("vitest", ["run", ...(suites[suite] ?? [])], { stdio: "inherit", env })
const [code] = await once(run, "exit")
process.exitCode = code ?? 1
