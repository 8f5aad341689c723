/** Packages that contain code of others contain its licence. Source: D-541. */
import { readFileSync } from "node:fs"
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

it("a bundle has the licences of installed packages, and of what our own packages contain", () => {
  const inputs = ["packages/console/src/Assets.ts", "packages/core/src/Countersign.ts", "node_modules/jose/dist/x.js"]
  const found = licencesOf(inputs)
  expect(found.map((each) => each.split("\n")[0])).toEqual([
    expect.stringMatching(/^jose .*: MIT$/u),
    "The page of this package contains:",
  ])
  expect(found[1]).toBe(text("packages/console/NOTICES.txt"))
})
