/** Packages that contain code of others contain its licence. Source: D-541. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { licencesOf } from "../../../packages/cli/scripts/bundler.mjs"
import { manifestOf, repository } from "../packages/Packed.ts"

const text = (path: string) => readFileSync(join(repository, path), "utf8")

it("the console's package has the licence of what its page bundles, in its installed version", async () => {
  const { devDependencies = {} } = await manifestOf(join(repository, "packages/console"))
  const bundled = Object.entries(devDependencies).filter(([name]) => !name.startsWith("@countersign/"))
  expect(bundled.map(([name]) => name)).toEqual(["preact"])
  const notices = text("packages/console/NOTICES.txt")
  for (const [name, version] of bundled) {
    expect(notices).toContain(`${name} ${version}: MIT`)
    expect(notices).toContain(text(`node_modules/${name}/LICENSE`))
  }
})

it("the package of the HTTP interface has the licence of what the documentation site bundles, in its installed version", async () => {
  const notices = text("packages/adapter-http/NOTICES.txt")
  const named = [...notices.matchAll(/^(\S+) (\d\S*): MIT$/gmu)].map(([, name = "", version = ""]) => ({
    name,
    version,
  }))
  expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(["vitepress", "vue", "minisearch"]))
  for (const { name, version } of named) {
    expect((await manifestOf(join(repository, "node_modules", name))).version).toBe(version)
    const file = readdirSync(join(repository, "node_modules", name)).find((each) => /^licen[cs]e/iu.test(each))
    expect(notices).toContain(text(`node_modules/${name}/${file}`).trim())
  }
})

it("a bundle has the licences of installed packages, and of what our own packages contain", () => {
  const inputs = ["packages/console/src/Assets.ts", "packages/core/src/Countersign.ts", "node_modules/jose/dist/x.js"]
  const found = licencesOf(inputs)
  expect(found.map((each) => each.split("\n")[0])).toEqual([
    expect.stringMatching(/^jose .*: MIT$/u),
    "The page of this package contains:",
  ])
  expect(found[1]).toBe(text("packages/console/NOTICES.txt"))
})
