/** The plan of the next release: every published package, all with one version. Source: D-193. */
import getReleasePlan from "@changesets/get-release-plan"
import { expect, it } from "vitest"
import { manifestOf, published, repository } from "./Packed.ts"

const manifests = await Promise.all((await published()).map(manifestOf))

it("releases every published package with one version", async () => {
  const { changesets, releases } = await getReleasePlan(repository)
  const names = manifests.map(({ name }) => name)
  const released = releases.filter(({ name }) => names.includes(name))
  // Between a release and the first change after it there is nothing to release.
  expect(released.map(({ name }) => name).toSorted()).toEqual(changesets.length === 0 ? [] : names.toSorted())
  expect(new Set(released.map(({ newVersion }) => newVersion)).size).toBeLessThanOrEqual(1)
})

it("gives the packages one version, uses it between them, and requires one version of Effect", () => {
  const [version] = manifests.map((manifest) => manifest.version)
  for (const { dependencies = {}, name, peerDependencies = {}, version: own } of manifests) {
    expect([name, own]).toEqual([name, version])
    // A package without Effect names none; one that imports it without naming it fails the check of dependencies.
    expect(["~4.1.0", undefined]).toContain(peerDependencies["effect"])
    const ours = Object.entries(dependencies).filter(([other]) => other.startsWith("@countersign/"))
    expect(ours.filter(([, required]) => required !== version)).toEqual([])
  }
})
