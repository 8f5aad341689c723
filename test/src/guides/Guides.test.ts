/**
 * Checks the guides: each snippet is part of a file that tests run, each command prints what is shown, each link has a target, and each
 * metric exists.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ServerProcess, startServer } from "../e2e/ServerProcess.ts"
import { watched } from "../embed/Watched.ts"
import { execute, repository } from "../packages/Packed.ts"
import { rows, steps } from "../readme/Readme.ts"

const folder = join(repository, "docs/guides")
const guides = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const)

/** Files that a test runs: the examples, and the files of this folder. */
const isRun = (path: string) => /^(?:examples\/[\w-]+\/src|test\/src\/guides)\//u.test(path)

/** Each `ts` block with the file that the text before it links. */
const snippets = (guide: string) =>
  [...guide.matchAll(/\]\(\.\.\/\.\.\/([^)]+)\):\n\n```ts\n(.*?)^```$/gmsu)].map(([, path = "", code = ""]) => ({
    path: decodeURI(path).replaceAll("%5B", "[").replaceAll("%5D", "]"),
    code,
  }))

describe.each(guides)("the guide %s", (name, guide) => {
  it("contains only snippets of files that tests run", () => {
    const found = snippets(guide)
    expect(found).toHaveLength([...guide.matchAll(/^```ts$/gmu)].length)
    for (const { code, path } of found) {
      expect([path, isRun(path)]).toEqual([path, true])
      expect([path, readFileSync(join(repository, path), "utf8").includes(code)]).toEqual([path, true])
    }
  })

  it("begins with what its reader can do afterwards", () => {
    const [, first = ""] = guide.split("\n\n")
    expect(first).toMatch(/^After this page .+\.(?: |$)/u)
  })

  it("has a target for each link", () => {
    const targets = [...guide.matchAll(/\]\((?!https?:)([^)#]+)\)/gu)].map(([, target = ""]) =>
      decodeURIComponent(target),
    )
    expect(targets.filter((target) => !existsSync(join(dirname(join(folder, name)), target)))).toEqual([])
  })
})

describe("the commands", () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ options: ["--metrics", "--client-id", "demo", "--client-secret", "demo-secret"] })
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())

  // The test of the README follows the first steps, in a folder of their own.
  const others = guides.filter(([name]) => name !== "first-steps.md")
  const shown = others.flatMap(([name, guide]) => steps(guide).map((step) => [name, step] as const))
  it.each(shown)("of %s print the output that the guide shows", async (_, { prints, script }) => {
    const words = ["-euo", "pipefail", "-c", script]
    expect(await execute("bash", words, { cwd: repository, env: { ORIGIN: server.origin } })).toBe(prints)
  })
})

it("embedding.md has each option of embed", async () => {
  const wrong = embed(Object.assign({ store: MemoryStore.layer, ports: Sandbox.layer, sandbox: true }, { nothing: 1 }))
  const message = String(await wrong.catch((error: unknown) => error))
  const known = /there is no option nothing: (.*)$/u.exec(message)?.[1]?.split(", ")
  const guide = readFileSync(join(folder, "embedding.md"), "utf8")
  const options = guide.slice(0, guide.indexOf("\n## Without a server"))
  expect(rows(options).map((row) => row.split("|")[1]?.trim().replaceAll("`", ""))).toEqual(known)
})

it("operations.md has each metric that is counted, with its labels", async () => {
  await using watch = await watched()
  await watch.service.handler(new Request("http://localhost/healthz"))
  const guide = readFileSync(join(folder, "operations.md"), "utf8")
  const table = new Map(
    rows(guide).map((row) => {
      const [, id = "", labels = "", what = ""] = row.split("|").map((cell) => cell.trim().replaceAll("`", ""))
      return [id, [labels, what]]
    }),
  )
  const counted = watch.metrics().filter(({ id }) => id.startsWith("countersign_"))
  expect(counted.length).toBeGreaterThan(3)
  for (const { attributes, description, id } of counted) {
    expect([id, table.get(id)]).toEqual([id, [Object.keys(attributes ?? {}).join(" "), description]])
  }
})
