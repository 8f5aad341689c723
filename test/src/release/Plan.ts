/** The next version and its changelog, as the changesets of a checkout make them. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import getReleasePlan from "@changesets/get-release-plan"
import { execute } from "../packages/Packed.ts"

export interface Plan {
  /** Changesets that wait. */
  readonly changesets: number
  readonly version: string
  /** The section of this version, of the core's changelog: all packages have the same changes. */
  readonly changelog: string
}

/** Returns the section of a version. */
export const sectionOf = (changelog: string, version: string): string =>
  changelog
    .split(/^(?=## )/mu)
    .find((section) => section.startsWith(`## ${version}\n`))
    ?.trim() ?? ""

/** Turns the changesets of a checkout into versions and changelogs, in its files. */
export const applyPlan = async (checkout: string): Promise<Plan> => {
  const { changesets } = await getReleasePlan(checkout)
  if (changesets.length > 0) await execute("npm", ["run", "release:version"], { cwd: checkout })
  const core = join(checkout, "packages/core")
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(core, "package.json"), "utf8"))
  const path = join(core, "CHANGELOG.md")
  const changelog = existsSync(path) ? sectionOf(readFileSync(path, "utf8"), version) : ""
  return { changesets: changesets.length, version, changelog }
}
