/** The files of `countersign init --live`: which ones each bank has, and their settings and secrets. Source: D-534. */
import { createPrivateKey } from "node:crypto"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { parseEnv } from "node:util"
import { describe, expect, it } from "vitest"
import { type LiveBank, liveBanks } from "../../../packages/cli/src/init/LiveBank.ts"
import { liveFiles } from "../../../packages/cli/src/init/LiveFiles.ts"
import { settingsFiles } from "../../../packages/cli/src/init/LiveSettings.ts"

const store = "postgres://countersign:p%27w@db.example/countersign?a=b#c"
const filesOf = (bank: LiveBank, port = 8787) => liveFiles("somewhere/live", { bank, port, store })
const contentOf = (files: ReturnType<typeof filesOf>, name: string): string => {
  const found = files.find((file) => file.name === name)
  if (found === undefined) throw new Error(`no file ${name}`)
  return found.content
}
const settingsOf = (bank: LiveBank, port?: number) => parseEnv(contentOf(filesOf(bank, port), "countersign.env"))
const servers: ReadonlyArray<LiveBank> = ["typescript", "python"]
const hex = expect.stringMatching(/^[0-9a-f]{64}$/u)

describe("the settings", () => {
  const common = {
    COUNTERSIGN_MODE: "live",
    COUNTERSIGN_STORE: store,
    COUNTERSIGN_MIGRATE: "check",
    COUNTERSIGN_HOST: "127.0.0.1",
    COUNTERSIGN_PORT: "8787",
    COUNTERSIGN_CLIENT_ID: expect.stringMatching(/^[0-9a-f]{16}$/u),
    COUNTERSIGN_CLIENT_SECRET: hex,
    COUNTERSIGN_WALLET_SECRET: hex,
    COUNTERSIGN_WEBHOOK_KEY: expect.stringMatching(
      /^-----BEGIN PRIVATE KEY-----\n[\s\S]+\n-----END PRIVATE KEY-----$/u,
    ),
    COUNTERSIGN_PORTS: "ports.ts",
    APP_NAME: "Payments",
    CODES_SECRET: hex,
    MAIL_HOST: "",
    MAIL_PORT: "",
    MAIL_SECURITY: "starttls",
    MAIL_USER: "",
    MAIL_PASSWORD: "",
    MAIL_FROM: "",
    RATES_FILE: "",
    RATES_FORMAT: "xml",
    COUNTERSIGN_LOG: "json",
  }
  const server = {
    COUNTERSIGN_PORTS_URL: "http://127.0.0.1:8788",
    COUNTERSIGN_PORTS_SECRET: hex,
    COUNTERSIGN_PORTS_OF: "rails,verifier",
  }
  it.each<readonly [bank: LiveBank, more: object]>([
    ["typescript", server],
    ["python", server],
    ["files", { BANK_FOLDER: "bank", BANK_IBAN: "", BANK_BIC: "", BANK_HOLDER: "" }],
    ["none", {}],
  ])("of the bank %s have every variable", (bank, more) => {
    expect(settingsOf(bank)).toEqual({ ...common, ...more })
  })

  it.each(servers)("of the bank %s are for a process of its own, with the same secret", (bank) => {
    const files = filesOf(bank)
    expect(parseEnv(contentOf(files, "bank.env"))).toEqual({
      BANK_SECRETS: parseEnv(contentOf(files, "countersign.env"))["COUNTERSIGN_PORTS_SECRET"],
      BANK_PORT: "8788",
      BANK_DATABASE: "bank.sqlite",
      BANK_REPORTS_URL: "http://127.0.0.1:8787/port-reports",
      BANK_BOOKS_AFTER: "5",
    })
  })

  it.each([
    [1, "2"],
    [65_534, "65535"],
    [65_535, "65534"],
  ])("at the port %d have the bank at %s", (port, bankPort) => {
    const files = settingsFiles({ bank: "python", port, store })
    const [service = {}, bank = {}] = files.map(({ content }) => parseEnv(content))
    expect([service["COUNTERSIGN_PORT"], service["COUNTERSIGN_PORTS_URL"], bank["BANK_PORT"]]).toEqual([
      String(port),
      `http://127.0.0.1:${bankPort}`,
      bankPort,
    ])
    expect(bank["BANK_REPORTS_URL"]).toBe(`http://127.0.0.1:${port}/port-reports`)
  })

  it("have secrets of their own, which only the owner reads", () => {
    const secrets = [0, 1].flatMap(() => {
      const files = settingsFiles({ bank: "typescript", port: 1, store })
      expect(files.map(({ mode, name }) => [name, mode])).toEqual([
        ["countersign.env", 0o600],
        ["bank.env", 0o600],
      ])
      const { CODES_SECRET, COUNTERSIGN_CLIENT_ID, COUNTERSIGN_CLIENT_SECRET, ...more } = parseEnv(
        files[0]?.content ?? "",
      )
      const { COUNTERSIGN_PORTS_SECRET, COUNTERSIGN_WALLET_SECRET, COUNTERSIGN_WEBHOOK_KEY } = more
      return [
        CODES_SECRET,
        COUNTERSIGN_CLIENT_ID,
        COUNTERSIGN_CLIENT_SECRET,
        COUNTERSIGN_PORTS_SECRET,
        COUNTERSIGN_WALLET_SECRET,
        COUNTERSIGN_WEBHOOK_KEY,
      ]
    })
    expect(new Set(secrets).size).toBe(12)
    const key = createPrivateKey(secrets[5] ?? "")
    expect([key.asymmetricKeyType, key.asymmetricKeyDetails?.namedCurve]).toEqual(["ec", "prime256v1"])
  })
})

describe("the files", () => {
  const common = ["ports/Codes.ts", "ports/NotWritten.ts", "ports/Rates.ts", "ports/StrongAuthentication.ts"]
  const first = [".gitignore", "README.md", "package.json", "ports.ts"]
  it.each<readonly [bank: LiveBank, names: ReadonlyArray<string>]>([
    ["typescript", ["bank.env", "bank.ts", "systemd/countersign-bank.service"]],
    ["python", ["bank.env", "bank.py", "systemd/countersign-bank.service"]],
    ["files", ["ports/BankFiles.ts", "ports/Verification.ts"]],
    ["none", ["ports/Bank.ts", "ports/Verification.ts"]],
  ])("of the bank %s are these, and only those with secrets are closed", (bank, names) => {
    const files = filesOf(bank)
    const expected = [
      "countersign.env",
      ...first,
      ...common,
      "first-payment.mjs",
      "systemd/countersign.service",
      ...names,
    ]
    expect(files.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
    const closed = files.flatMap(({ mode, name }) => (mode === undefined ? [] : [name]))
    expect(closed).toEqual(servers.includes(bank) ? ["countersign.env", "bank.env"] : ["countersign.env"])
    expect(files.every(({ content }) => content.length > 0)).toBe(true)
  })

  it("are the templates of the package", () => {
    const template = (name: string) =>
      readFileSync(new URL(`../../../packages/cli/templates/${name}`, import.meta.url), "utf8")
    const portsOf = (bank: LiveBank) => contentOf(filesOf(bank), "ports.ts")
    expect(liveBanks.map(portsOf)).toEqual(
      ["ports.http.ts", "ports.http.ts", "ports.files.ts", "ports.none.ts"].map(template),
    )
    expect(contentOf(filesOf("python"), "bank.py")).toBe(template("bank/bank.py"))
    expect(contentOf(filesOf("typescript"), "bank.ts")).toBe(template("bank/bank.ts"))
    expect(contentOf(filesOf("none"), "ports/Bank.ts")).toBe(template("ports/Bank.ts"))
  })

  it("have the scripts and packages of the bank", () => {
    const manifest = (bank: LiveBank) => JSON.parse(contentOf(filesOf(bank), "package.json"))
    const own = JSON.parse(readFileSync(new URL("../../../packages/cli/package.json", import.meta.url), "utf8"))
    const pay = "node --env-file=countersign.env first-payment.mjs"
    const scripts = {
      start: "countersign serve",
      migrate: "countersign migrate",
      doctor: "countersign doctor --live",
      pay,
    }
    expect(manifest("none")).toEqual({
      private: true,
      type: "module",
      engines: { node: ">=22.19" },
      scripts,
      dependencies: {
        "@countersign/adapter-messages": own.version,
        "@countersign/adapter-rates": own.version,
        "@countersign/cli": own.version,
        "@countersign/core": own.version,
        effect: own.peerDependencies.effect,
        pg: expect.stringMatching(/^\d+\.\d+\.\d+$/u),
      },
    })
    expect(manifest("files").dependencies["@countersign/adapter-bank-files"]).toBe(own.version)
    expect(manifest("typescript").scripts).toEqual({ ...scripts, bank: "node --env-file=bank.env bank.ts" })
    expect(manifest("python").scripts.bank).toBe("set -a && . ./bank.env && set +a && exec python3 bank.py")
    expect(manifest("python").dependencies).toEqual(manifest("none").dependencies)
  })

  it("keep secrets and data out of the repository", () => {
    expect(contentOf(filesOf("none"), ".gitignore").split("\n")).toEqual([
      "countersign.env",
      "bank.env",
      "bank.sqlite*",
      "node_modules/",
      "bank/",
      "",
    ])
  })

  it("have units that run in the folder and write nowhere else", () => {
    const folder = resolve("somewhere/live")
    const files = filesOf("python")
    const linesOf = (name: string) => contentOf(files, name).split("\n")
    for (const name of ["systemd/countersign.service", "systemd/countersign-bank.service"]) {
      expect(linesOf(name)).toEqual(
        expect.arrayContaining([
          `WorkingDirectory=${folder}`,
          `ReadWritePaths=${folder}`,
          "User=countersign",
          "Restart=always",
          "LimitNOFILE=65536",
          "NoNewPrivileges=true",
          "ProtectSystem=strict",
        ]),
      )
    }
    expect(linesOf("systemd/countersign.service")).toContain(
      `ExecStart=${process.execPath} node_modules/@countersign/cli/bin/countersign.js serve`,
    )
    expect(linesOf("systemd/countersign-bank.service")).toContain(
      "ExecStart=/bin/sh -c 'set -a && . ./bank.env && set +a && exec python3 bank.py'",
    )
  })
})

describe("the page of a deployment", () => {
  const pageOf = (bank: LiveBank) => contentOf(filesOf(bank), "README.md")

  it.each<readonly [bank: LiveBank, texts: ReadonlyArray<string>]>([
    [
      "typescript",
      ["the bank is `bank.ts`", "npm run bank", "COMPLETED`", "and `bank.env` have", "| your bank | `bank.ts` |"],
    ],
    [
      "python",
      ["the bank is `bank.py`", "npm run bank", "COMPLETED`", "and `bank.env` have", "| your bank | `bank.py` |"],
    ],
    [
      "files",
      [
        "the bank is `ports/BankFiles.ts`",
        "`BANK_IBAN` is set",
        "`countersign.env` has",
        "| your bank | `BANK_IBAN` in",
      ],
    ],
    [
      "none",
      [
        "the bank is `ports/Bank.ts`",
        "`ports/Bank.ts` are written",
        "`countersign.env` has",
        "| your bank | `ports/Bank.ts` |",
      ],
    ],
  ])("of the bank %s says what is its operator's to do", (bank, texts) => {
    const page = pageOf(bank)
    for (const text of texts) expect(page).toContain(text)
    expect(page.includes("npm run bank")).toBe(servers.includes(bank))
    expect(page.includes("the example bank alone approves everybody")).toBe(servers.includes(bank))
    expect(page.includes("COUNTERSIGN_PORTS_OF")).toBe(servers.includes(bank))
    expect(page.includes("no customer is created: 503")).toBe(!servers.includes(bank))
  })
})
