/** Checks the README and the pages that it leads to: the tour prints what it shows, and the tables match the code. */
import { existsSync, readFileSync } from "node:fs"
import { LedgerAccounts } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import { newFolder } from "../e2e/Folder.ts"
import { run, startServer } from "../e2e/ServerProcess.ts"
import { codeOf, page, rows, section, steps } from "./Readme.ts"
import { tour, trimmed } from "./Tour.ts"

describe("the README", () => {
  it("is a front page of at most 150 lines", () => {
    expect(page("README.md").split("\n").length - 1).toBeLessThanOrEqual(150)
  })

  it("has a target for each link", () => {
    const targets = [...page("README.md").matchAll(/\]\((?!https?:)([^)#]+)\)/gu)].map(([, target = ""]) => target)
    expect(targets.length).toBeGreaterThan(20)
    expect(targets.filter((target) => !existsSync(new URL(`../../../${target}`, import.meta.url)))).toEqual([])
  })

  it("shows a verification that is a test of this folder", () => {
    const [, code] = page("test/src/readme/Verify.test.ts").split(/^\/\*\*.*\n/u)
    expect(codeOf(section("Verify"))).toBe(code)
  })
})

describe("the first steps", { timeout: 120_000 }, () => {
  const firstSteps = page("docs/guides/first-steps.md")

  it("print what the page shows at each step", async () => {
    const found = steps(section("The tour", firstSteps))
    const afterwards = steps(section("Read the books", firstSteps))
    expect(found.length).toBeGreaterThanOrEqual(8)
    expect(afterwards.length).toBe(2)
    const [first] = found
    expect(first?.script).toMatch(/^BASE=\$\{BASE:-http:\/\/127\.0\.0\.1:8787\/2025-10-13\}$/mu)
    await using folder = await newFolder()
    const store = `pglite:${folder.path}`
    await using server = await startServer({
      options: ["--client-id", "demo", "--client-secret", "demo-secret", "--store", store],
    })
    // The reader stops the server in the other terminal.
    const stop = `kill -TERM ${server.pid}\nwhile kill -0 ${server.pid} 2>/dev/null; do sleep 0.1; done`
    const [opening = "", ...others] = afterwards.map(({ script }) => script)
    const scripts = [...found.map(({ script }) => script), `${stop}\n${opening}`, ...others]
    const { code, stderr, stdout } = await tour(server.base, scripts, store)
    expect(stdout).toEqual([...found, ...afterwards].map(({ prints }) => trimmed(prints)))
    // A slow start prints a notice.
    expect([code, stderr.replaceAll(/^opening .*\n/gmu, "")]).toEqual([0, ""])
  })

  it("rejects a step that does not show its output", () => {
    expect(() => steps("```sh\necho 1\n```\n")).toThrow(/nothing says/u)
    expect(steps("```sh\necho 1\n```\n\n```text\n1\n```\n")).toEqual([{ script: "echo 1\n", prints: "1\n" }])
  })
})

/** Returns an option of the help as a row of the page's table. */
const optionRow = (line: string): string | undefined => {
  const [, name, rest = ""] = /^ {2}(--[a-z0-9-]+)(?: \w+)? +(\S.*)$/u.exec(line) ?? []
  if (name === undefined) return undefined
  const text = rest.replace(/ \(choices: .*\)$/u, "")
  const [, what = text, byDefault, variable, repeated = ""] =
    /^(.*) \((?:default ([^,]*), )?(COUNTERSIGN_\w+)\)(; may be repeated.*)?$/u.exec(text) ?? []
  const choices = /\(choices: (.*)\)$/u.exec(rest)?.[1]
  return [
    "",
    ` \`${name}\` `,
    variable === undefined ? " " : ` \`${variable}\` `,
    byDefault === undefined ? " " : ` \`${byDefault}\` `,
    ` ${what}${choices === undefined ? "" : ` (${choices})`}${repeated} `,
    "",
  ].join("|")
}

describe("the tables", { timeout: 120_000 }, () => {
  it("of options match --help", async () => {
    await using help = run({ options: ["--help"] })
    expect(await help.exited).toEqual({ code: 0, signal: null })
    const [, flags = ""] = help.stdout().split(/^FLAGS$/mu)
    const [own = ""] = flags.split(/^GLOBAL FLAGS$/mu)
    const expected = own.split("\n").flatMap((line) => optionRow(line) ?? [])
    expect(expected.length).toBeGreaterThan(10)
    expect(rows(page("docs/options.md"))).toEqual(expected)
  })

  it("of ledger accounts match the table of ledger roles", () => {
    const shown = rows(page("docs/concepts/ledger.md")).map((row) => {
      const [, name = "", meaning = ""] = row.split("|").map((cell) => cell.trim().replaceAll("`", ""))
      return [name.split(":")[0], meaning]
    })
    expect(shown).toEqual(LedgerAccounts.LedgerRoles.entries.map(([role, { meaning }]) => [role, meaning]))
  })

  it("of dependencies match the packages' manifests, with their versions", () => {
    const manifest = (path: string): Readonly<Record<string, Readonly<Record<string, string>>>> =>
      JSON.parse(readFileSync(new URL(`../../../${path}/package.json`, import.meta.url), "utf8"))
    const root = manifest(".")["devDependencies"] ?? {}
    const packages = ["core", "client", "adapter-memory", "adapter-postgres", "adapter-http", "cli"].map((name) =>
      manifest(`packages/${name}`),
    )
    const used = Object.assign({ effect: root["effect"] }, ...packages.map(({ dependencies }) => dependencies ?? {}))
    const foreign = Object.entries(used).filter(([name]) => !name.startsWith("@countersign/"))
    const dependencies = page("docs/dependencies.md")
    const shown = rows(dependencies).map((row) => row.split("|").map((cell) => cell.trim().replaceAll("`", "")))
    expect(shown.map(([, name, version]) => [name, version]).toSorted()).toEqual(foreign.toSorted())
    const tools = [...(dependencies.split(/^To work on it:/mu)[1] ?? "").matchAll(/`([^`]+)` (\d[\d.]*\d)/gu)]
    expect(
      Object.fromEntries([...tools.map(([, name, version]) => [name, version]), ["effect", root["effect"]]]),
    ).toEqual(root)
  })
})
