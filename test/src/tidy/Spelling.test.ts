/** The check of spelling (`npm run check:prose`) finds wrong words where prose is, and its list of words stays readable. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** The words that the check refuses in a text, as if it were the file of this path. */
const refused = (path: string, text: string): ReadonlyArray<string> => {
  const command = fileURLToPath(new URL("../../../node_modules/cspell/bin.mjs", import.meta.url))
  const words = ["lint", "--no-progress", "--no-summary", "--words-only", `stdin://${path}`]
  const { status, stdout } = spawnSync(process.execPath, [command, ...words], {
    cwd: root,
    encoding: "utf8",
    input: text,
  })
  const found = stdout.split("\n").filter((word) => word !== "")
  expect(status).toBe(found.length === 0 ? 0 : 1)
  return found
}

describe("the check of spelling", () => {
  it("finds wrong and American words of a page, and leaves its code alone", { timeout: 120_000 }, () => {
    const page =
      "We recieve a `recieved` behavior.\n\n```\nrecieves\n```\n\nIts colour is authorized by HPKE ([page](recieving.md)).\n"
    expect(refused("docs/guides/bad.md", page)).toEqual(["recieve", "behavior"])
  })

  it("finds wrong words of comments and messages of a source, and leaves names alone", { timeout: 120_000 }, () => {
    const source =
      '/** We recieve it. */\n// Seperate.\nconst wierd = "We beleive that it is so."\nconst key = "adress"\n'
    expect(refused("packages/core/src/kit/Bad.ts", source)).toEqual(["recieve", "Seperate", "beleive"])
  })

  it("finds wrong words in the titles of tests", { timeout: 120_000 }, () => {
    const source = 'it("recieves it", () => {\n  const wierd = "adress"\n})\n'
    expect(refused("test/src/kit/Bad.test.ts", source)).toEqual(["recieves"])
  })

  it("runs with every check", () => {
    const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
      readFileSync(`${root}package.json`, "utf8"),
    )
    expect(scripts["check"]).toContain("npm run check:prose")
    expect(scripts["check:prose"]).toBe("cspell lint --no-progress")
  })
})

it("the list of words has one on each line, in order, each once", () => {
  const words = readFileSync(`${root}site/words.txt`, "utf8").replace(/\n$/u, "").split("\n")
  expect(words.filter((word) => !/^\p{L}+$/u.test(word))).toEqual([])
  const lower = words.map((word) => word.toLowerCase())
  expect(lower.toSorted()).toEqual(lower)
  expect(new Set(lower).size).toBe(lower.length)
})
