/**
 * More wrong inputs than every run can wait for: `npm run fuzz -- 1000000` sends each decoder of the wallet a million, `npm run fuzz`
 * two; `npm run fuzz -- operations 100000` divides 100,000 grown requests among the operations (`COUNTERSIGN_FUZZ_SEED`
 * varies them); `npm run fuzz -- http 100000` has 100,000 random conversations with the raw listener; `npm run fuzz -- search --minutes 60`
 * leads inputs by coverage through the decoders (`--only cursors`: through some), from those of earlier searches (`--corpus FOLDER`).
 * Source: D-169, D-313. Ends with the exit code of the tests.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { longSearch } from "../src/fuzz/LongSearch.ts"

const suites: { readonly [name: string]: ReadonlyArray<string> } = {
  wallet: ["test/src/crypto/Fuzz.test.ts", "test/src/wallet/Fuzz.test.ts"],
  operations: ["test/src/hostile/GrownInputs.test.ts"],
  http: ["test/src/hostile/ListenerFuzz.test.ts"],
}

const { positionals: words, values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "10" },
    only: { type: "string", default: "" },
    corpus: { type: "string", default: fileURLToPath(new URL("../../node_modules/.cache/fuzz", import.meta.url)) },
  },
})

const runTests = async (): Promise<number> => {
  const suite = words.find((word) => word in suites) ?? "wallet"
  const [inputs = suite === "wallet" ? "2000000" : "100000"] = words.filter((word) => word !== suite)
  if (!/^[1-9]\d*$/u.test(inputs)) throw new Error(`how many inputs? ${inputs} is no number`)
  const env = { ...process.env, COUNTERSIGN_FUZZ: inputs }
  const run = spawn("vitest", ["run", ...(suites[suite] ?? [])], { stdio: "inherit", env })
  const [code] = await once(run, "exit")
  return code ?? 1
}

const runSearch = async (): Promise<number> => {
  const { corpus: folder, minutes, only } = values
  const write = (line: string) => console.log(line)
  return (await longSearch({ folder, minutes: Number(minutes), only, write })) === 0 ? 0 : 1
}

process.exitCode = words[0] === "search" ? await runSearch() : await runTests()
