/**
 * Makes a release. `npm run release -- --dry-run` does everything short of publishing, with the next version on checkouts of the commit, and
 * leaves tarballs, checksums and the bill of materials in `dist/release`. Without the option it publishes the tarballs that it has
 * tested, in continuous integration only.
 * Source: D-541.
 */
import { join } from "node:path"
import { execute, manifestOf, published, repository } from "../src/packages/Packed.ts"
import { checkOut } from "../src/release/Checkout.ts"
import { applyPlan } from "../src/release/Plan.ts"
import { missingForPublishing, publishCommand } from "../src/release/Publishing.ts"
import { releaseSteps, tarballOf } from "../src/release/ReleaseSteps.ts"
import { runSteps, tableOf } from "../src/release/Steps.ts"

const isDryRun = process.argv.includes("--dry-run")
const into = join(repository, "dist/release")

await using first = await checkOut()
await using other = await checkOut()
const plan = await applyPlan(first.folder)
await applyPlan(other.folder)
const inCheckout = (folder: string) => join(first.folder, folder.slice(repository.length))
const manifests = await Promise.all((await published()).map((folder) => manifestOf(inCheckout(folder))))
const missing = missingForPublishing({ environment: process.env, manifests, changesets: plan.changesets })

const release = async () => {
  const steps = releaseSteps({ plan, manifests, checkout: first.folder, second: other.folder, into })
  const outcomes = await runSteps(steps, (outcome) => console.log(tableOf([outcome])))
  console.log(`\n${tableOf(outcomes)}\n`)
  return outcomes.every(({ state }) => state === "ok")
}

const isOnRegistry = async ({ name, version }: { readonly name: string; readonly version: string }) =>
  execute("npm", ["view", `${name}@${version}`, "version"], { cwd: repository }).then(
    (found) => found.trim() === version,
    () => false,
  )

if (isDryRun) {
  console.log(`${plan.changelog}\n`)
  process.exitCode = (await release()) ? 0 : 1
  console.log(`Nothing is published. Publishing needs:\n${missing.map((each) => `- ${each}`).join("\n")}`)
} else if (missing.length > 0) {
  console.error(`Nothing is published: this release lacks\n${missing.map((each) => `- ${each}`).join("\n")}`)
  process.exitCode = 1
} else if (await release()) {
  for (const manifest of manifests) {
    // A run that was interrupted continues.
    if (await isOnRegistry(manifest)) continue
    console.log(await execute("npm", publishCommand(join(into, tarballOf(manifest))), { cwd: into }))
  }
  await execute("changeset", ["git-tag"], { cwd: repository })
} else {
  process.exitCode = 1
}
