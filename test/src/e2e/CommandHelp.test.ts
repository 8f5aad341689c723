/**
 * Every command has an example and its exit codes in its help, and the shells complete all of them.
 * Source: D-458.
 */
import { execFile } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { EventTypes } from "@countersign/core/models"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { beforeAll, describe, expect, it } from "vitest"
import { countersign } from "../../../packages/cli/src/Countersign.ts"
import { ExitCodes } from "../../../packages/cli/src/ExitCodes.ts"
import { platform } from "../../../packages/cli/src/Platform.ts"
import { type Folder, newFolder } from "./Folder.ts"
import { inProcess } from "./InProcess.ts"
import { repository, run } from "./ServerProcess.ts"

interface Listed {
  readonly words: ReadonlyArray<string>
  readonly isGroup: boolean
}

/** Each command with its words, groups of commands before their commands. */
const commandsOf = (command: Command.Command.Any, words: ReadonlyArray<string> = []): ReadonlyArray<Listed> => {
  const subcommands = command.subcommands.flatMap(({ commands }) => commands)
  const below = subcommands.flatMap((each) => commandsOf(each, [...words, each.name]))
  return [{ words, isGroup: subcommands.length > 0 }, ...below]
}
const commands = commandsOf(countersign)
const leaves = commands.flatMap(({ isGroup, words }) => (isGroup ? [] : [words]))
const groups = commands.flatMap(({ isGroup, words }) => (isGroup ? [words] : []))

/** The exit codes that the help of a command lists. */
const listedCodes = (help: string): ReadonlyArray<number> =>
  (help.split("Exit codes:\n")[1] ?? "")
    .split("\n\n")[0]
    ?.split("\n")
    .map((line) => Number.parseInt(line, 10)) ?? []

/** What the command prints in this process. */
const printed = async (...words: ReadonlyArray<string>): Promise<string> => {
  const lines: Array<string> = []
  const capturing: Console.Console = Object.assign(Object.create(console), { log: (line: string) => lines.push(line) })
  const command = Command.runWith(countersign, { version: "1.2.3" })(words)
  await Effect.runPromise(command.pipe(Effect.provide(platform), Effect.provideService(Console.Console, capturing)))
  return lines.join("\n")
}

describe("the help", () => {
  it("exists for more than twenty commands", () => {
    expect(leaves.length).toBeGreaterThan(20)
    expect(leaves).toContainEqual(["clock", "advance"])
  })

  it.each(leaves.map((words) => words.join(" ")))(
    "of %s shows an example with its options, --json and the exit codes",
    async (name) => {
      const help = await printed(...name.split(" "), "--help")
      expect(help).toContain(`\n  countersign ${name}`)
      const [described = "", examples = ""] = help.split("EXAMPLES")
      const lines = examples.split("\n").filter((line) => line.startsWith("  countersign "))
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines) {
        expect(line).toContain(`countersign ${name}`)
        for (const [option] of line.matchAll(/(?<= )--[a-z-]+/gu)) expect(described).toContain(`  ${option}`)
      }
      expect(described).toMatch(/^ +--json /mu)
      const codes = listedCodes(described)
      expect(codes).toEqual([...codes].toSorted((a, b) => a - b))
      for (const code of codes) {
        const [entry] = Object.values(ExitCodes).filter((each) => each.code === code)
        expect(described).toContain(`\n${String(code).padStart(2)}  ${entry?.meaning}\n`)
      }
    },
  )

  it.each([
    ["serve", [0, 2, 3, 4, 5, 6, 70]],
    ["init", [0, 1, 2, 70]],
    ["doctor", [0, 1, 2, 70]],
    ["ledger", [0, 1, 2, 3, 6, 70]],
    ["migrate", [0, 2, 3, 6, 70]],
    ["operate money", [0, 1, 2, 3, 5, 6, 70]],
    ["listen", [0, 1, 2, 4, 7, 8, 70]],
    ["clock advance", [0, 1, 2, 7, 8, 70]],
    ["events", [0, 1, 2, 7, 8, 70]],
    ["", [0, 1, 2, 3, 4, 5, 6, 7, 8, 70]],
  ])("of %j lists the exit codes that the command can have", async (name, codes) => {
    expect(listedCodes(await printed(...name.split(" ").filter(Boolean), "--help"))).toEqual(codes)
  })

  it.each(groups.map((words) => words.join(" ")))(
    "of %j shows an example, and a line for each command",
    async (name) => {
      const words = name.split(" ").filter(Boolean)
      const help = await printed(...words, "--help")
      const list = (help.split("SUBCOMMANDS\n")[1] ?? "").split("EXAMPLES")[0]?.trim().split("\n") ?? []
      const names = commands.flatMap(({ words: each }) =>
        each.length === words.length + 1 && words.every((word, at) => each[at] === word) ? each.slice(-1) : [],
      )
      expect(list.map((line) => line.trim().split(/\s{2,}/u)[0])).toEqual(names)
      const examples = (help.split("EXAMPLES\n")[1] ?? "")
        .split("\n")
        .filter((line) => line.startsWith("  countersign "))
      expect(examples.length).toBeGreaterThan(0)
      for (const example of examples) expect(example).toContain(["countersign", ...words].join(" "))
    },
  )

  it("of trigger lists every type of event", async () => {
    const help = await printed("trigger", "--help")
    for (const type of EventTypes.keys) expect(help).toContain(`\n  ${type}\n`)
  })
})

describe("a wrong invocation", () => {
  it.each([
    [["clok"], /Unknown subcommand "clok".*\n\n.*\n {4}clock/u],
    [["clock", "show", "--jsn"], /Unrecognized flag: --jsn/u],
    [["clock", "show", "extra"], /Unexpected positional argument: "extra"/u],
    [["trigger"], /Missing required argument: event/u],
    [["world", "scenario", "nope"], /<name>: "nope"\. Expected: "demo" \| /u],
    [["trigger", "NOPE"], /<event>: "NOPE"\. Expected: one of the 43 values that --help lists\n/u],
    [
      ["events", "list", "--json", "--type", "outgoing_paymnt.expired"],
      /--type: "outgoing_paymnt\.expired".* 43 values that --help lists, such as "OUTGOING_PAYMENT\.EXPIRED"\n/u,
    ],
  ])("%j prints its errors alone, on standard error", async (words, said) => {
    const { code, stderr, stdout } = await inProcess(words)
    expect(code).toBe(2)
    expect(stdout).toBe("")
    expect(stderr).toMatch(said)
    expect(stderr).toMatch(/\n {2}countersign[ a-z]* --help shows what is possible$/u)
    expect(stderr.length).toBeLessThan(400)
  })
})

describe("the guides", () => {
  const textOf = (name: string) => readFile(join(repository, "docs/guides", name), "utf8")

  it.each(leaves.map((words) => words.join(" ")))("name %s", async (name) => {
    const text = `${await textOf("command-line.md")}${await textOf("operations.md")}`
    expect(text).toMatch(new RegExp(`(?:\`|countersign )${name}\\b`, "u"))
  })

  it("list every exit code with its meaning", async () => {
    for (const name of ["command-line.md", "operations.md"]) {
      const rows = (await textOf(name)).split("\n").filter((line) => /^\| `?\d+`? \|/u.test(line))
      expect(rows.map((row) => Number(/\d+/u.exec(row)?.[0]))).toEqual(Object.values(ExitCodes).map(({ code }) => code))
    }
  })
})

describe("completion", () => {
  let folder: Folder
  beforeAll(async () => {
    folder = await newFolder()
    await writeFile(join(folder.path, "completion.bash"), await printed("--completions", "bash"))
    return () => folder[Symbol.asyncDispose]()
  })

  /** Asks bash for the completions of a line. */
  const completions = async (line: string) => {
    const script = `source completion.bash
      COMP_LINE="$1"; COMP_POINT=\${#COMP_LINE}; read -ra COMP_WORDS <<< "$COMP_LINE"
      if [[ "$COMP_LINE" == *" " ]]; then COMP_WORDS+=(""); fi
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _countersign countersign "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await promisify(execFile)("bash", ["-c", script, "bash", line], { cwd: folder.path })
    return stdout.trim().split("\n")
  }

  it("in bash knows commands, options, their values and the types of events", async () => {
    expect(await completions("countersign clo")).toEqual(["clock"])
    expect(await completions("countersign clock ")).toEqual(["show", "advance"])
    expect(await completions("countersign clock advance --se")).toEqual(["--server", "--service-name"])
    expect(await completions("countersign serve --mode ")).toEqual(["sandbox", "live"])
    expect(await completions("countersign trigger OUTGOING_PAYMENT.RE")).toEqual([
      "OUTGOING_PAYMENT.REFUND_PENDING",
      "OUTGOING_PAYMENT.REFUND_COMPLETED",
      "OUTGOING_PAYMENT.REFUND_FAILED",
    ])
  })

  it.each(["zsh", "fish"])("in %s has every command", async (shell) => {
    const script = await printed("--completions", shell)
    for (const word of new Set(leaves.flat())) expect(script).toContain(word)
    // A description is one line: the shells show it beside the command.
    expect(script).not.toContain("Exit codes")
  })
})

it("colours the output on a terminal only, and never with NO_COLOR", { timeout: 120_000 }, async () => {
  const help = async (env: Readonly<Record<string, string>>) => {
    await using command = run({ command: "clock", options: ["--help"], env })
    await command.exited
    return command.stdout()
  }
  // FORCE_COLOR stands for a terminal.
  expect(await help({ FORCE_COLOR: "1", NO_COLOR: "" })).toContain("\u001b[")
  expect(await help({ FORCE_COLOR: "1", NO_COLOR: "1" })).not.toContain("\u001b")
  expect(await help({ FORCE_COLOR: "", NO_COLOR: "" })).not.toContain("\u001b")
})
