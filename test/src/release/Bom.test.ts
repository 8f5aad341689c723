/** The bill of materials of a release, and the licences in it, from the repository's own lockfile. Source: D-541. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Ajv } from "ajv"
import * as formats from "ajv-formats"
import { beforeAll, describe, expect, it } from "vitest"
import { dependencyClosure } from "../packages/DependencyClosure.ts"
import { type Manifest, manifestOf, published, repository } from "../packages/Packed.ts"
import { type Bom, bomOfLockfile, bomOfRelease, nameOf } from "./Bom.ts"
import { isAllowed, problemsOfLicences } from "./Licences.ts"

const time = "2026-01-01T00:00:00Z"
let manifests: ReadonlyArray<Manifest>
let everything: Bom
let bom: Bom
beforeAll(async () => {
  manifests = await Promise.all((await published()).map(manifestOf))
  everything = await bomOfLockfile(repository)
  bom = bomOfRelease(everything, manifests, time)
})

describe("the bill of materials", () => {
  it("has what each package installs", async () => {
    const names = new Set(bom.components.map((component) => nameOf(component["bom-ref"])))
    for (const { name } of manifests) {
      const closure = await dependencyClosure(name)
      expect([name, ...closure].filter((each) => !names.has(each))).toEqual([])
    }
  })

  it("has no development dependency, no example and no test", () => {
    const names = bom.components.map((component) => nameOf(component["bom-ref"]))
    expect(
      names.filter((name) => /^(?:@countersign-examples|@countersign\/tests|vitest|typescript|esbuild)/u.test(name)),
    ).toEqual([])
    expect(everything.components.length).toBeGreaterThan(bom.components.length * 2)
  })

  it("refers to components that it has", () => {
    const refs = new Set([bom.metadata.component["bom-ref"], ...bom.components.map((each) => each["bom-ref"])])
    const named = bom.dependencies.flatMap(({ dependsOn, ref }) => [ref, ...dependsOn])
    expect(named.filter((ref) => !refs.has(ref))).toEqual([])
  })

  it("is the same for the same lockfile, and has another number for another one", async () => {
    expect(bomOfRelease(await bomOfLockfile(repository), manifests, time)).toEqual(bom)
    const fewer = bomOfRelease(everything, manifests.slice(1), time)
    expect(fewer.serialNumber).not.toBe(bom.serialNumber)
  })

  it("is valid by the schema of CycloneDX", () => {
    const folder = join(
      dirname(createRequire(import.meta.url).resolve("@cyclonedx/cyclonedx-library/package.json")),
      "res/schema",
    )
    const schema = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), "utf8"))
    const ajv = new Ajv({ strict: false, formats: { "iri-reference": true, "idn-email": true } })
    formats.default.default(ajv)
    for (const name of ["spdx", "jsf-0.82"]) {
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
    }
    const validate = ajv.compile(schema("bom-1.5"))
    expect([validate(bom), validate.errors]).toEqual([true, null])
    expect(validate({ ...bom, components: [{ ...bom.components[0], purl: 1 }] })).toBe(false)
  })
})

describe("the licences", () => {
  it("of all packages that an installation brings are in the list", () => {
    expect(problemsOfLicences(bom)).toEqual([])
  })

  it("that are missing or not in the list are reported", () => {
    const [component] = bom.components
    if (component === undefined) throw new Error("the bill is empty")
    const of = (name: string, licenses: ReadonlyArray<object>) => ({
      ...component,
      "bom-ref": `${name}@1.0.0`,
      licenses,
    })
    const licence = (id: string) => [{ license: { id } }]
    const components = [of("@a/b", licence("GPL-3.0-only")), of("c", []), of("d", licence("MIT")), of("ssh2", [])]
    expect(problemsOfLicences({ ...bom, components })).toEqual([
      "@a/b@1.0.0 has the licence GPL-3.0-only",
      "c@1.0.0 names no licence",
    ])
  })

  it.each([
    ["MIT", true],
    ["(MIT OR GPL-3.0-only)", true],
    ["Apache-2.0 AND MIT", true],
    ["Apache-2.0 AND LGPL-3.0-or-later", false],
    ["AGPL-3.0-only", false],
    ["UNLICENSED", false],
  ])("with the expression %s are allowed: %s", (expression, allowed) => {
    expect(isAllowed(expression)).toBe(allowed)
  })
})
