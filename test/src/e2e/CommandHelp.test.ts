/**
 * Every command has an example and its exit codes in its help, and the shells complete all of them.
 * Source: D-458.
 */
import { execFile } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { beforeAll, describe, expect, it } from "vitest"
import { countersign } from "../../../packages/cli/src/Countersign.ts"
import { ExitCodes } from "../../../packages/cli/src/ExitCodes.ts"
import { platform } from "../../../packages/cli/src/Platform.ts"
import { type Folder, newFolder } from "./Folder.ts"
import { repository, run } from "./ServerProcess.ts"

/** The words of each command that has no subcommands. */
const leavesOf = (
  command: Command.Command.Any,
  words: ReadonlyArray<string> = [],
): ReadonlyArray<ReadonlyArray<string>> => {
  const subcommands = command.subcommands.flatMap(({ commands }) => commands)
  return subcommands.length === 0 ? [words] : subcommands.flatMap((each) => leavesOf(each, [...words, each.name]))
}
const leaves = leavesOf(countersign)

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
      for (const { code, meaning } of Object.values(ExitCodes)) {
        expect(help).toContain(`${String(code).padStart(2)}  ${meaning}`)
      }
    },
  )
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
