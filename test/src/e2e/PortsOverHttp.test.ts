/** Live mode with a bank in another language: its answers over HTTP, and its reports at the server. Source: D-527. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ExitCodes } from "../../../packages/cli/src/ExitCodes.ts"
import { bankFolder, bankSecret, startBank } from "../ports-http/BankProcess.ts"
import { textAt } from "./Client.ts"
import { eventually } from "./Deadline.ts"
import { balanceOf, newWorld, transfer } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { run } from "./ServerProcess.ts"

const secretEnv = { COUNTERSIGN_PORTS_SECRET: bankSecret }

describe("live mode with --ports-url", { timeout: 120_000 }, () => {
  it("moves money by the bank in Python, and takes its report about a late transfer", async () => {
    await using folder = await newFolder()
    using orders = bankFolder()
    const secretFile = join(folder.path, "port-secret")
    await writeFile(secretFile, `${bankSecret}\nthe old port secret of the example bank\n`)
    await using first = await startBank("python", orders)
    const options = ["--mode", "live", "--ports-url", first.url, "--ports-secret-file", secretFile]
    await using world = await newWorld({ options: [...options, "--store", `pglite:${folder.path}`] })
    const moved = async (amount: number) => {
      const reply = await world.platform("POST", "/transfer-in", {
        body: transfer(world.source, world.customer, amount),
      })
      expect(reply).toMatchObject({ status: 201 })
      return textAt(reply, "id")
    }
    await moved(5_000)
    const balance = () => balanceOf(world.platform, world.customer)
    await eventually("the transfer", balance, (amount) => amount === 5_000)
    const late = await moved(200_000)
    await eventually(
      "the order",
      () => orders.executed(),
      (count) => count === 2,
    )

    await first[Symbol.asyncDispose]()
    const reportsUrl = `${world.server.origin}/port-reports`
    await using _bank = await startBank("python", orders, { BANK_REPORTS_URL: reportsUrl, BANK_BOOKS_AFTER: "0" })
    await eventually("the report", balance, (amount) => amount === 205_000)
    expect(await world.platform("GET", `/transactions/${late}`)).toMatchObject({ body: { status: "COMPLETED" } })
  })

  it("answers 401 to a report that is not signed, and 404 without --ports-url", async () => {
    const json = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }
    const send = async (origin: string) => (await fetch(`${origin}/port-reports/rails/outcome`, json)).status
    const options = ["--ports-url", "http://127.0.0.1:1", "--ports-of", "rails"]
    await using world = await newWorld({ options, env: secretEnv })
    expect(await send(world.server.origin)).toBe(401)
    await using without = await newWorld({})
    expect(await send(without.server.origin)).toBe(404)
  })
})

describe("a start is refused", { timeout: 120_000 }, () => {
  const url = ["--ports-url", "https://bank.example.com/ports"]
  const live = ["--mode", "live"]
  const { unsafe, usage } = ExitCodes
  const weak = "weak-secret-of-a-port"

  interface Refused {
    readonly options: ReadonlyArray<string>
    readonly secret?: string
    readonly code: number
    readonly says: ReadonlyArray<RegExp>
  }
  const starts: { readonly [what: string]: Refused } = {
    "in live mode without ports, although there is a secret for them": {
      options: live,
      secret: bankSecret,
      code: usage.code,
      says: [
        /with --ports FILE, or a server that answers them with --ports-url/u,
        /the secret of the ports needs --ports-url/u,
      ],
    },
    "in live mode with a part of the ports, in the clear and without a secret": {
      options: [...live, "--ports-url", "http://bank.example.com", "--ports-of", "rails", "--ports-of", "pipes"],
      code: usage.code,
      says: [
        /--ports-url needs COUNTERSIGN_PORTS_SECRET, or --ports-secret-file/u,
        /--ports-of takes rails, .*, not pipes/u,
        /live mode needs exchange-rates, verifier, .* in --ports-of/u,
        /live mode needs an https address in --ports-url/u,
      ],
    },
    "with a module as well, and a secret that other processes see": {
      options: [...url, "--ports", "none.ts", "--ports-secret", weak, "--ports-secret-file", "/none"],
      code: usage.code,
      says: [
        /--ports and --ports-url together need --ports-of/u,
        /--ports-secret: other processes see a command line/u,
        /--ports-secret and --ports-secret-file cannot be given together/u,
      ],
    },
    "with a weak secret": { options: url, secret: weak, code: unsafe.code, says: [/has fewer than 32 characters/u] },
    "with a file that does not exist": {
      options: [...url, "--ports-secret-file", "/none"],
      code: usage.code,
      says: [/--ports-secret-file \/none: the file cannot be read/u],
    },
  }
  it.each(Object.entries(starts))("%s", async (_, { code, options, says, secret }) => {
    const env = secret === undefined ? {} : { COUNTERSIGN_PORTS_SECRET: secret }
    await using server = run({ options: [...options, "--port", "0"], env })
    const ended = await server.exited
    const output = server.stdout() + server.stderr()
    for (const pattern of says) expect(output).toMatch(pattern)
    for (const hidden of [weak, bankSecret]) expect(output).not.toContain(hidden)
    expect(ended.code).toBe(code)
  })
})
