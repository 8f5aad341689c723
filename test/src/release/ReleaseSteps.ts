/** The steps of a release short of publishing, on two checkouts of the commit. Source: D-541. */
import { cp, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { problemsOfManifest, problemsOfTypes } from "../packages/Linters.ts"
import { execute, type Manifest } from "../packages/Packed.ts"
import { type Bom, bomOfLockfile, bomOfRelease } from "./Bom.ts"
import { changedFiles } from "./Checkout.ts"
import { checksumsOf } from "./Checksums.ts"
import { problemsOfContents } from "./Contents.ts"
import { installTarballs, smokeTest } from "./Installation.ts"
import { problemsOfLicences } from "./Licences.ts"
import type { Plan } from "./Plan.ts"
import { noProblems, type Step } from "./Steps.ts"
import { differencesOf, filesOf, packInto, unlike } from "./Tarballs.ts"

export interface Release {
  readonly plan: Plan
  /** Those of the published packages, with the version of the release. */
  readonly manifests: ReadonlyArray<Manifest>
  /** Two checkouts of the commit, with the version of the release. */
  readonly checkout: string
  readonly second: string
  /** Where tarballs, checksums and the bill of materials are written. */
  readonly into: string
}

/** The name of a package's tarball. */
export const tarballOf = ({ name, version }: Manifest): string =>
  `${name.replace("@", "").replace("/", "-")}-${version}.tgz`

export const releaseSteps = ({ checkout, into, manifests, plan, second }: Release): ReadonlyArray<Step> => {
  const tarballs = new Map(manifests.map((manifest) => [join(into, tarballOf(manifest)), manifest]))
  // Outside of the repository, whose packages would hide that one is missing.
  const installed = join(dirname(checkout), "release/installed")
  let bom: Bom | undefined

  /** Asks for the problems of one tarball after another. */
  const each = async (problemsOf: (path: string, name: string) => Promise<ReadonlyArray<string>>) => {
    const found: Array<string> = []
    for (const [path, { name }] of tarballs) found.push(...(await problemsOf(path, name)))
    noProblems(found)
  }

  const workingFolder = async () => {
    noProblems(await changedFiles())
    return `clean, at ${(await execute("git", ["rev-parse", "--short", "HEAD"], { cwd: checkout })).trim()}`
  }
  const versions = async () => {
    const others = manifests.filter(({ version }) => version !== plan.version)
    noProblems(others.map(({ name, version }) => `${name} has version ${version}, not ${plan.version}`))
    for (const { dependencies = {}, name } of manifests) {
      const ours = Object.entries(dependencies).filter(([other]) => other.startsWith("@countersign/"))
      const stale = ours.filter(([, required]) => required !== plan.version)
      noProblems(stale.map(([other, required]) => `${name} requires ${other} ${required}, not ${plan.version}`))
    }
    return `${manifests.length} packages ${plan.version}, ${plan.changesets} changeset(s)`
  }
  const licences = async () => {
    const committed = await execute("git", ["log", "-1", "--format=%cI"], { cwd: checkout })
    bom = bomOfRelease(await bomOfLockfile(checkout), manifests, committed.trim())
    noProblems(problemsOfLicences(bom))
    return `${bom.components.length} packages, each with a licence of the list`
  }
  const pack = async () => {
    await rm(into, { recursive: true, force: true })
    const names = (await packInto(checkout, into)).map((path) => basename(path))
    const expected = [...tarballs.keys()].map((path) => basename(path))
    noProblems(expected.filter((name) => !names.includes(name)).map((name) => `${name} is missing`))
    noProblems(names.filter((name) => !expected.includes(name)).map((name) => `${name} is not a published package`))
    return `${names.length} tarballs`
  }
  const reports = async () => {
    await execute("node", ["--conditions=@countersign/source", "test/scripts/api.ts", "--check"], { cwd: checkout })
    return "docs/api is in step"
  }
  const reproducible = async () => {
    const again = join(dirname(second), "again")
    await packInto(second, again)
    await each((path) => differencesOf(path, join(again, basename(path))))
    return `a second checkout makes the same tarballs, but for files of ${[...unlike.keys()].join(" and ")} that each build makes anew`
  }
  const contents = async () => {
    await each(async (path, name) => problemsOfContents(name, [...(await filesOf(path)).keys()]))
    return "each file is in the list"
  }
  const linters = async () => {
    await each(problemsOfManifest)
    await each(async (path, name) => (name === "@countersign/cli" ? [] : problemsOfTypes(path)))
    return "publint and arethetypeswrong report nothing"
  }
  const lockfile = async () => {
    for (const name of ["package.json", "package-lock.json"]) {
      await cp(join(installed, name), join(into, "installed", name))
    }
    return "installed/package-lock.json, of which deploy/Containerfile makes the image"
  }
  const sbom = async () => {
    await writeFile(join(into, "sbom.cdx.json"), `${JSON.stringify(bom, undefined, 2)}\n`)
    return `sbom.cdx.json, ${bom?.components.length} components`
  }
  const checksums = async () => {
    await writeFile(join(into, "SHA256SUMS"), await checksumsOf([...tarballs.keys(), join(into, "sbom.cdx.json")]))
    await execute("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: into })
    return "SHA256SUMS"
  }

  const after = ["build and pack"]
  return [
    { name: "working folder", run: workingFolder },
    { name: "versions", run: versions },
    { name: "licences", run: licences },
    { name: "build and pack", run: pack },
    { name: "interface reports", after, run: reports },
    { name: "reproducible", after, run: reproducible },
    { name: "contents", after, run: contents },
    { name: "linters", after, run: linters },
    { name: "installation", after, run: () => installTarballs(installed, tarballs) },
    { name: "smoke test", after: ["installation"], run: () => smokeTest(installed, plan.version) },
    { name: "lockfile", after: ["smoke test"], run: lockfile },
    { name: "bill of materials", after: ["licences", ...after], run: sbom },
    { name: "checksums", after: ["bill of materials"], run: checksums },
  ]
}
