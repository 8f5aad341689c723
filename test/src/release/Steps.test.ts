/** The steps of a release: order, failures, and the pieces that need no build. Source: D-541. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { execute } from "../packages/Packed.ts"
import { checksumsOf } from "./Checksums.ts"
import { problemsOfContents } from "./Contents.ts"
import { sectionOf } from "./Plan.ts"
import { noProblems, runSteps, tableOf } from "./Steps.ts"
import { differencesOf } from "./Tarballs.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-steps-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it("runs what does not need a failed step, and reports each step with its reason", async () => {
  const reported: Array<string> = []
  const outcomes = await runSteps(
    [
      { name: "first", run: async () => "done" },
      { name: "second", after: ["first"], run: async () => noProblems(["one", "two"]) ?? "" },
      { name: "third", after: ["second"], run: async () => "not reached" },
      { name: "fourth", after: ["first"], run: async () => "done" },
    ],
    ({ name }) => reported.push(name),
  )
  expect(reported).toEqual(["first", "second", "third", "fourth"])
  expect(tableOf(outcomes).split("\n")).toEqual([
    "first   ok       done",
    "second  failed   one",
    "                 two",
    "third   not run  needs second",
    "fourth  ok       done",
  ])
})

it("finds the section of a version in a changelog", () => {
  const changelog = "# a\n\n## 0.3.0\n\n### Minor Changes\n\n- new\n\n## 0.2.0\n\n- old\n"
  expect(sectionOf(changelog, "0.3.0")).toBe("## 0.3.0\n\n### Minor Changes\n\n- new")
  expect(sectionOf(changelog, "0.2.0")).toBe("## 0.2.0\n\n- old")
  expect(sectionOf(changelog, "0.1.0")).toBe("")
})

it("writes checksums that sha256sum accepts, and that name a changed file", async () => {
  const paths = [join(folder, "b.tgz"), join(folder, "a.tgz")]
  for (const path of paths) await writeFile(path, path)
  await writeFile(join(folder, "SHA256SUMS"), await checksumsOf(paths))
  expect(await execute("sha256sum", ["--check", "SHA256SUMS"], { cwd: folder })).toBe("a.tgz: OK\nb.tgz: OK\n")
  await writeFile(join(folder, "b.tgz"), "other")
  await expect(execute("sha256sum", ["--check", "SHA256SUMS"], { cwd: folder })).rejects.toThrow("b.tgz: FAILED")
})

describe("two tarballs", () => {
  const pack = async (name: string, files: Readonly<Record<string, string>>) => {
    const at = join(folder, name)
    await execute("mkdir", ["-p", join(at, "package/assets")], { cwd: folder })
    for (const [path, text] of Object.entries(files)) await writeFile(join(at, "package", path), text)
    await execute("tar", ["-czf", `${name}.tgz`, "-C", at, "package"], { cwd: folder })
    return join(folder, `${name}.tgz`)
  }

  it("differ in the files that are not the same in both, but for those that each build makes anew", async () => {
    const one = await pack("countersign-adapter-postgres-1.0.0", {
      "a.js": "1",
      "b.js": "2",
      "assets/cluster.zst": "3",
    })
    const two = await pack("two", { "a.js": "1", "b.js": "other", "c.js": "4", "assets/cluster.zst": "other" })
    expect(await differencesOf(one, one)).toEqual([])
    const name = "countersign-adapter-postgres-1.0.0.tgz"
    expect(await differencesOf(one, two)).toEqual([`${name}: b.js`, `${name}: c.js`])
    expect(await differencesOf(two, one)).toContain("two.tgz: assets/cluster.zst")
  })

  it("differ if only their archives do", async () => {
    const one = await pack("five", { "a.js": "1" })
    const archive = join(folder, "five.later.tgz")
    await execute("tar", ["-czf", archive, "--mtime=@0", "-C", join(folder, "five"), "package"], { cwd: folder })
    expect(await differencesOf(one, archive)).toEqual(["five.tgz: the archive, though its files are the same"])
  })
})

describe("the contents of a package", () => {
  const whole = ["LICENSE", "README.md", "package.json", "src/a.ts"].concat([
    "dist/a.js",
    "dist/a.js.map",
    "dist/a.d.ts",
    "dist/a.d.ts.map",
  ])

  it("are its sources, what is made of them, and the files of the list", () => {
    expect(problemsOfContents("@countersign/core", whole)).toEqual([])
    expect(problemsOfContents("@countersign/console", [...whole, "NOTICES.txt", "CHANGELOG.md"])).toEqual([])
  })

  it("are refused with a file that nothing explains, or without one that is expected", () => {
    const stray = [".env", "dist/old.js", "src/a.test.ts", "assets/a.js", "dist/a.tsbuildinfo"]
    expect(problemsOfContents("@countersign/core", [...whole, ...stray])).toEqual(
      stray.map((file) => `@countersign/core contains ${file}`),
    )
    expect(
      problemsOfContents(
        "@countersign/core",
        whole.filter((file) => file !== "dist/a.d.ts"),
      ),
    ).toEqual(["@countersign/core lacks dist/a.d.ts"])
    expect(problemsOfContents("@countersign/console", whole)).toEqual([
      "@countersign/console has no file ^NOTICES\\.txt$",
    ])
    expect(problemsOfContents("@countersign/core", [])).toContain("@countersign/core has no sources")
  })
})
