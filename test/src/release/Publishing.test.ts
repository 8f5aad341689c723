/** What a release needs before it is published. Source: D-541. */
import { expect, it } from "vitest"
import { manifestOf, published, repository } from "../packages/Packed.ts"
import { missingForPublishing, publishCommand } from "./Publishing.ts"
import { tarballOf } from "./ReleaseSteps.ts"

const manifest = {
  name: "@countersign/example",
  version: "1.0.0",
  publishConfig: { access: "public", provenance: true },
  repository: { type: "git", url: "https://example.com/countersign.git" },
}
const environment = { CI: "true", ACTIONS_ID_TOKEN_REQUEST_URL: "https://example.com/token", NPM_TOKEN: "token" }
const complete = { environment, manifests: [manifest], changesets: 0 }

it("lacks nothing in continuous integration with a token, versions and complete manifests", () => {
  expect(missingForPublishing(complete)).toEqual([])
})

it.each([
  ["CI", "a run of continuous integration (CI=true)"],
  ["ACTIONS_ID_TOKEN_REQUEST_URL", "an identity token for the provenance (permission `id-token: write`)"],
  ["NPM_TOKEN", "a token of the registry (NPM_TOKEN or NODE_AUTH_TOKEN)"],
])("lacks %s, if it is not set or empty", (name, message) => {
  for (const value of [undefined, ""]) {
    expect(missingForPublishing({ ...complete, environment: { ...environment, [name]: value } })).toEqual([message])
  }
})

it.each([
  [{ publishConfig: { access: "public" } }, "`publishConfig.provenance` in the manifest of @countersign/example"],
  [
    { publishConfig: { provenance: true } },
    "`publishConfig.access` with `public` in the manifest of @countersign/example",
  ],
  [{ repository: undefined }, "`repository`, which the provenance names, in the manifest of @countersign/example"],
])("lacks a field of a manifest", (change, message) => {
  expect(missingForPublishing({ ...complete, manifests: [{ ...manifest, ...change }] })).toEqual([message])
})

it("lacks versions, while changesets wait", () => {
  expect(missingForPublishing({ ...complete, changesets: 2 })).toEqual([
    "versions: 2 changeset(s) wait for `npm run release:version`",
  ])
})

it("lacks neither access nor provenance in the published manifests", async () => {
  const manifests = await Promise.all((await published()).map(manifestOf))
  const missing = missingForPublishing({ ...complete, manifests })
  expect(missing.filter((each) => each.includes("publishConfig"))).toEqual([])
  expect(manifests.length).toBeGreaterThan(10)
})

it("publishes the tarball that was tested, without its scripts", () => {
  expect(publishCommand(`${repository}dist/release/${tarballOf(manifest)}`)).toEqual([
    "publish",
    `${repository}dist/release/countersign-example-1.0.0.tgz`,
    "--ignore-scripts",
  ])
})
