/**
 * What a release needs before it may be published, and the commands that publish it. Nothing here runs them.
 * Source: D-541.
 */
import type { Manifest } from "../packages/Packed.ts"

interface PublishedManifest extends Manifest {
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean }
  readonly repository?: unknown
}

export interface Situation {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly manifests: ReadonlyArray<PublishedManifest>
  /** Changesets that are not versions yet. */
  readonly changesets: number
}

const isSet = (value: string | undefined) => value !== undefined && value !== ""

/** Names everything that is missing; a release is published only if the list is empty. */
export const missingForPublishing = ({ changesets, environment, manifests }: Situation): ReadonlyArray<string> => {
  const without = (what: string, has: (manifest: PublishedManifest) => boolean) => {
    const names = manifests.filter((manifest) => !has(manifest)).map(({ name }) => name)
    return names.length === 0 ? [] : [`${what} in the manifest of ${names.join(", ")}`]
  }
  return [
    ...(environment["CI"] === "true" ? [] : ["a run of continuous integration (CI=true)"]),
    ...(isSet(environment["ACTIONS_ID_TOKEN_REQUEST_URL"])
      ? []
      : ["an identity token for the provenance (permission `id-token: write`)"]),
    ...(isSet(environment["NPM_TOKEN"]) || isSet(environment["NODE_AUTH_TOKEN"])
      ? []
      : ["a token of the registry (NPM_TOKEN or NODE_AUTH_TOKEN)"]),
    ...(changesets === 0 ? [] : [`versions: ${changesets} changeset(s) wait for \`npm run release:version\``]),
    ...without("`publishConfig.provenance`", ({ publishConfig }) => publishConfig?.provenance === true),
    ...without("`publishConfig.access` with `public`", ({ publishConfig }) => publishConfig?.access === "public"),
    ...without("`repository`, which the provenance names,", ({ repository }) => repository !== undefined),
  ]
}

/** The words of `npm` that publish a tarball, of the files that were tested. */
export const publishCommand = (tarball: string): ReadonlyArray<string> => ["publish", tarball, "--ignore-scripts"]
