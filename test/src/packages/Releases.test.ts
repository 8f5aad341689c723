/** What the next release would be: every published package, and all of one version. Source: D-193. */
import getReleasePlan from "@changesets/get-release-plan"
import { expect, it } from "vitest"
import { manifestOf, published, repository } from "./Packed.ts"

const manifests = await Promise.all((await published()).map(manifestOf))

it("a release has every published package, with one version for all of them", async () => {
  const { changesets, releases } = await getReleasePlan(repository)
  const names = manifests.map(({ name }) => name)
  const released = releases.filter(({ name }) => names.includes(name))
  // Between a release and the first change after it there is nothing to release.
  expect(released.map(({ name }) => name).toSorted()).toEqual(changesets.length === 0 ? [] : names.toSorted())
  expect(new Set(released.map(({ newVersion }) => newVersion)).size).toBeLessThanOrEqual(1)
})

it("the packages share one version, name each other by it, and ask for one Effect", () => {
  const [version] = manifests.map((manifest) => manifest.version)
  for (const { dependencies = {}, name, peerDependencies = {}, version: own } of manifests) {
    expect([name, own, peerDependencies["effect"]]).toEqual([name, version, "~4.1.0"])
    const ours = Object.entries(dependencies).filter(([other]) => other.startsWith("@countersign/"))
    expect(ours.filter(([, asked]) => asked !== version)).toEqual([])
  }
})
