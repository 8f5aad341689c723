/** The lockfile has what the manifests of all workspaces require: otherwise `npm ci` refuses it. Source: D-541. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { repository } from "../packages/Packed.ts"

type Requirements = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>

const read = (path: string) => JSON.parse(readFileSync(join(repository, path), "utf8"))
const { packages }: { readonly packages: Readonly<Record<string, Requirements>> } = read("package-lock.json")
const workspaces = Object.keys(packages).filter((path) => !path.includes("node_modules"))

it("has each workspace with the dependencies of its manifest", () => {
  expect(packages[""]?.["workspaces"]).toEqual(read("package.json").workspaces)
  expect(workspaces.length).toBeGreaterThan(20)
  for (const path of workspaces) {
    const manifest: Requirements = read(join(path, "package.json"))
    for (const kind of ["dependencies", "devDependencies", "peerDependencies"]) {
      expect([path, packages[path]?.[kind]]).toEqual([path, manifest[kind]])
    }
  }
})

it("names no host", () => {
  expect(JSON.stringify(packages)).not.toMatch(/"resolved":"https?:/u)
})
