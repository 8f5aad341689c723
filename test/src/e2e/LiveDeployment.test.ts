/**
 * `countersign init --live` writes a deployment that runs as it is: its bank answers, and a beneficiary is paid.
 * Source: D-534.
 */
import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { basic, client, textAt } from "./Client.ts"
import { commandsIn } from "./Commands.ts"
import { eventually } from "./Deadline.ts"
import { inProcess } from "./InProcess.ts"
import { liveFolder, script } from "./LiveFolder.ts"
import { newDatabase } from "./ServerDatabase.ts"
import { run } from "./ServerProcess.ts"

interface Finding {
  readonly check: string
  readonly status: string
  readonly text: string
  readonly fix?: string
}

const settingOf = (settings: string, name: string): string =>
  new RegExp(`^${name}='?(.*?)'?$`, "mu").exec(settings)?.[1] ?? ""

it("pays a beneficiary with the commands of its page, and takes the bank's reports", { timeout: 240_000 }, async () => {
  await using database = await newDatabase()
  await using folder = await liveFolder("typescript", database.url)
  const text = (name: string) => readFile(join(folder.path, name), "utf8")
  const [settings, bankSettings, manifest] = [
    await text("countersign.env"),
    await text("bank.env"),
    await text("package.json"),
  ]
  const { scripts } = JSON.parse(manifest)
  const secret = settingOf(settings, "COUNTERSIGN_CLIENT_SECRET")

  // The example books a late order at once, so that the test need not wait.
  await writeFile(join(folder.path, "bank.env"), bankSettings.replace("BANK_BOOKS_AFTER=5", "BANK_BOOKS_AFTER=0"))
  await using bank = script(folder.path, scripts.bank)
  await eventually("the bank", bank.output, (output) => output.includes("ready http://127.0.0.1:"))
  const command = commandsIn(folder.path)
  const doctor = async (env: Readonly<Record<string, string>> = {}) => {
    // The tests' own secret is not that of the folder.
    const { stdout } = await command(["doctor", "--live", "--json"], { COUNTERSIGN_CLIENT_SECRET: secret, ...env })
    const { findings }: { readonly findings: ReadonlyArray<Finding> } = JSON.parse(stdout)
    return findings
  }
  const bad = (findings: ReadonlyArray<Finding>, status: string) =>
    findings.filter((finding) => finding.status === status).map(({ check, text }) => `${check}: ${text}`)
  expect(await command(["migrate"])).toMatchObject({ code: 0 })
  await using server = run({ cwd: folder.path })
  const isReady = () => /^ready /mu.test(server.stdout())
  const ended = server.exited.then(() => {
    throw new Error(`the service ended: ${server.stdout()}${server.stderr()}`)
  })
  await Promise.race([eventually("the ready line", isReady, (ready) => ready, 120_000), ended])
  ended.catch(() => undefined)

  await using pay = script(folder.path, scripts.pay)
  expect([await pay.exited, pay.output().trim().split("\n")]).toEqual([
    0,
    [
      expect.stringMatching(/^the customer is Customer:/u),
      "500.00 from the customer's bank: COMPLETED",
      "200.00 to Charles Babbage: COMPLETED",
      "the balance is 300 USD",
    ],
  ])

  const platform = client(
    `http://127.0.0.1:${folder.port}/2025-10-13`,
    basic(settingOf(settings, "COUNTERSIGN_CLIENT_ID"), secret),
  )
  const customerId = /Customer:\S+/u.exec(pay.output())?.[0] ?? ""
  const [account, source] = await Promise.all(
    ["internal", "external"].map((kind) =>
      platform("GET", `/customers/${kind}-accounts?customerId=${customerId}&currency=USD`),
    ),
  ).then((replies) => replies.map((reply) => textAt(reply, "data", 0, "id")))
  // The database of the tests does not wait for its disk.
  const found = await doctor()
  expect(bad(found, "problem")).toEqual([expect.stringContaining("durability: ")])
  expect(bad(found, "warning")).toEqual([
    expect.stringMatching(/^settings: the service has no public address/u),
    expect.stringMatching(/^database role: the role is a superuser/u),
    expect.stringMatching(/^mail server: MAIL_HOST is empty/u),
    expect.stringMatching(/^text gateway: none/u),
    expect.stringMatching(/^exchange rates: RATES_FILE is empty/u),
    expect.stringMatching(/^not written: strong authentication/u),
    expect.stringMatching(/^ports server: a test system answers/u),
    expect.stringMatching(/^verifier: the server does not know \/verifier\/check-owner/u),
    expect.stringMatching(/^webhook: no endpoint is set/u),
  ])
  expect(found.find(({ check }) => check === "webhook")?.fix).toMatch(/^set `webhookEndpoint` .* to an https address/u)
  for (const check of ["wallet secret", "documents", "ports clock", "ports signature", "rails", "security codes"]) {
    expect(found).toContainEqual(expect.objectContaining({ check, status: "ok" }))
  }
  const wrong = await doctor({
    COUNTERSIGN_MODE: "sandbox",
    COUNTERSIGN_PORTS_SECRET: "another port secret of 32 characters",
    COUNTERSIGN_WALLET_SECRET: "another wallet secret of 32 characters",
    MAIL_HOST: "127.0.0.1",
    MAIL_PORT: "1",
    MAIL_SECURITY: "none",
    MAIL_FROM: "codes@acme.example",
    RATES_FILE: "absent.xml",
  })
  expect(bad(wrong, "problem")).toEqual([
    expect.stringMatching(/^settings: the settings start a sandbox/u),
    expect.stringContaining("durability: "),
    expect.stringMatching(/^mail server: .* cannot be reached/u),
    expect.stringMatching(/^exchange rates: no table can be used: .*ENOENT/u),
    expect.stringMatching(/^ports server: the server refuses our signature/u),
    expect.stringMatching(/^wallet secret: /u),
  ])
  // Live mode sends webhooks to no address of this machine by itself.
  expect(await command(["listen"], { COUNTERSIGN_CLIENT_SECRET: secret })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /not on the public internet: start the server with --webhook-allow 127\.0\.0\.1, or/u,
    ),
  })
  const body = { source: { accountId: source }, destination: { accountId: account }, amount: 200_000 }
  const late = textAt(await platform("POST", "/transfer-in", { body }), "id")
  await eventually(
    "the report",
    async () => textAt(await platform("GET", `/transactions/${late}`), "status"),
    (status) => status === "COMPLETED",
  )
})

it("keeps its secrets to its owner, repeats none, and replaces no file", { timeout: 60_000 }, async () => {
  const store = "postgres://countersign:its-password@127.0.0.1:1/none"
  await using first = await liveFolder("python", store)
  await using second = await liveFolder("python", store)
  const secretsOf = async (path: string): Promise<ReadonlyArray<string>> => {
    const both = await Promise.all(["countersign.env", "bank.env"].map((name) => readFile(join(path, name), "utf8")))
    return both.join("\n").match(/[0-9a-f]{64}|-----BEGIN[^"]+/gu) ?? []
  }
  const secrets = await secretsOf(first.path)
  expect(secrets).toHaveLength(6)
  // The bank and the service share one.
  expect(new Set(secrets).size).toBe(5)
  expect((await secretsOf(second.path)).filter((secret) => secrets.includes(secret))).toEqual([])
  for (const secret of [...secrets, "its-password"]) expect(first.made.stdout).not.toContain(secret)
  for (const name of ["countersign.env", "bank.env"]) {
    expect((await stat(join(first.path, name))).mode & 0o777).toBe(0o600)
    expect((await readFile(join(first.path, ".gitignore"), "utf8")).split("\n")).toContain(name)
  }
  const before = await secretsOf(first.path)
  expect(await inProcess(["init", "--live", first.path])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("countersign.env, "),
  })
  expect(await secretsOf(first.path)).toEqual(before)
})

it("without a bank its service starts, refuses safely, and says what is missing", { timeout: 240_000 }, async () => {
  await using database = await newDatabase()
  await using folder = await liveFolder("none", database.url)
  const settings = await readFile(join(folder.path, "countersign.env"), "utf8")
  const [id, secret] = ["ID", "SECRET"].map((name) => settingOf(settings, `COUNTERSIGN_CLIENT_${name}`))
  const command = commandsIn(folder.path)
  await command(["migrate"])
  await using server = run({ cwd: folder.path })
  await eventually("the ready line", server.stdout, (output) => /^ready /mu.test(output), 120_000)
  const platform = client(`http://127.0.0.1:${folder.port}/2025-10-13`, basic(id ?? "", secret ?? ""))
  const body = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }
  expect(await platform("POST", "/customers", { body })).toMatchObject({ status: 503 })
  expect((await platform("GET", "/customers")).body).toMatchObject({ data: [] })
  const { stdout } = await command(["doctor", "--live"], { COUNTERSIGN_CLIENT_SECRET: secret ?? "" })
  expect(stdout).toMatch(/^warning {3}not written {7}verification: .*\n +do: write it in ports\/Verification\.ts/mu)
  expect(stdout).toMatch(/^warning {3}not written {7}the bank: /mu)

  // The same database, with payment files for a bank.
  await using files = await liveFolder("files", database.url)
  const account = { BANK_IBAN: "DE89370400440532013000", BANK_BIC: "COBADEFFXXX", BANK_HOLDER: "ACME" }
  const found = await commandsIn(files.path)(["doctor", "--live"], account)
  expect(found.stdout).toMatch(/^problem {3}bank euros .*ENOENT/mu)
  expect(found.stdout).toMatch(/^ok {8}bank file store /mu)
  expect(found.stdout).toMatch(/^problem {3}wallet secret {5}/mu)
})
