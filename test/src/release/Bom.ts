/**
 * The software bill of materials of a release: the published packages with all that an installation brings, from the lockfile.
 * Source: D-541.
 */
import { createHash } from "node:crypto"
import { execute, type Manifest } from "../packages/Packed.ts"

interface Licence {
  readonly license?: { readonly id?: string; readonly name?: string }
  readonly expression?: string
}

export interface Component {
  readonly "bom-ref": string
  /** The name without its scope. */
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: ReadonlyArray<Licence>
}

export interface Bom {
  readonly serialNumber: string
  readonly metadata: { readonly timestamp: string; readonly component: Component }
  readonly components: ReadonlyArray<Component>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn: ReadonlyArray<string> }>
}

/** Returns everything that the lockfile of a checkout has. It needs no network. */
export const bomOfLockfile = async (checkout: string): Promise<Bom> =>
  JSON.parse(await execute("npm", ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"], { cwd: checkout }))

/** The name of a package in `name@version`. */
export const nameOf = (ref: string): string => ref.slice(0, ref.indexOf("@", 1))

const installs = ({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: Manifest) =>
  new Set([
    ...Object.keys(dependencies),
    ...Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true),
  ])

/** A version 5 layout of a digest, so that the same content has the same number. */
const serialOf = (text: string) => {
  const hex = createHash("sha256").update(text).digest("hex")
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * Cuts a bill to what the packages of `manifests` install. `npm sbom --omit dev` is no substitute: it leaves out what a development
 * dependency of another workspace names as well, such as `effect` and `pg`.
 */
export const bomOfRelease = (bom: Bom, manifests: ReadonlyArray<Manifest>, timestamp: string): Bom => {
  const installedBy = new Map(manifests.map((manifest) => [manifest.name, installs(manifest)]))
  const edges = bom.dependencies.map(({ dependsOn, ref }) => {
    const names = installedBy.get(nameOf(ref))
    return { ref, dependsOn: names === undefined ? dependsOn : dependsOn.filter((each) => names.has(nameOf(each))) }
  })
  const edgesOf = new Map(edges.map(({ dependsOn, ref }) => [ref, dependsOn]))
  const roots = [...edgesOf.keys()].filter((ref) => installedBy.has(nameOf(ref)))
  const kept = new Set<string>()
  const keep = (ref: string): void => {
    if (kept.has(ref)) return
    kept.add(ref)
    for (const each of edgesOf.get(ref) ?? []) keep(each)
  }
  for (const root of roots) keep(root)
  const version = manifests[0]?.version ?? ""
  const purl = `pkg:generic/countersign@${version}`
  const component = { ...bom.metadata.component, "bom-ref": purl, name: "countersign", version, purl }
  const components = bom.components.filter((each) => kept.has(each["bom-ref"]))
  const dependencies = [{ ref: purl, dependsOn: roots }, ...edges.filter(({ ref }) => kept.has(ref))]
  const serialNumber = serialOf(JSON.stringify([component, components, dependencies]))
  return { ...bom, serialNumber, metadata: { ...bom.metadata, timestamp, component }, components, dependencies }
}
