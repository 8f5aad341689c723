/**
 * The packages as a user gets them: packed, installed in empty projects, checked by other tools, bundled for a browser, and used by
 * each example.
 * Source: D-192.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { problemsOfContents } from "../release/Contents.ts"
import { start, tour } from "./Example.ts"
import { problemsOfManifest, problemsOfTypes } from "./Linters.ts"
import { execute, manifestOf, type Packed, pack, project, repository } from "./Packed.ts"

let packed: Packed
beforeAll(async () => {
  packed = await pack()
}, 300_000)
afterAll(() => packed[Symbol.asyncDispose]())

const example = (name: string) => project(packed, name)
const examples = readdirSync(join(repository, "examples"))

const names = [
  "@countersign/adapter-bank-files",
  "@countersign/adapter-http",
  "@countersign/adapter-keys",
  "@countersign/adapter-memory",
  "@countersign/adapter-messages",
  "@countersign/adapter-postgres",
  "@countersign/adapter-rates",
  "@countersign/adapter-s3",
  "@countersign/adapter-sftp",
  "@countersign/cli",
  "@countersign/client",
  "@countersign/console",
  "@countersign/core",
  "@countersign/ports-http",
  "@countersign/test",
]
const tarballOf = (name: string) => {
  const found = packed.tarballs.find((tarball) => tarball.name === name)
  if (found === undefined) throw new Error(`${name} was not packed`)
  return found
}

it("packs exactly the published packages", () => {
  expect(packed.tarballs.map(({ name }) => name).toSorted()).toEqual(names)
})

describe.each(names)("the package %s", (name) => {
  it("contains code, types and maps of each source, and nothing else", () => {
    // `npm ci` makes assets and the bundle, which a checkout without it lacks.
    const problems = problemsOfContents(name, tarballOf(name).files)
    expect(problems.filter((problem) => !problem.includes(" has no file "))).toEqual([])
  })

  it("declares the project's licence and the required Node version", async () => {
    const { workspace } = tarballOf(name)
    const manifest = JSON.parse(readFileSync(join(workspace, "package.json"), "utf8"))
    expect(manifest).toMatchObject({ license: "Apache-2.0", type: "module", engines: { node: ">=22.19" } })
    const licence = readFileSync(join(workspace, "LICENSE"), "utf8")
    expect(licence).toBe(readFileSync(join(repository, "LICENSE"), "utf8"))
  })

  it("passes publint and arethetypeswrong", async () => {
    const { path } = tarballOf(name)
    expect(await problemsOfManifest(path)).toEqual([])
    if (name !== "@countersign/cli") expect(await problemsOfTypes(path)).toEqual([])
  })

  it("loads as built code by every exported path, without the repository", async () => {
    const { folder } = packed
    const manifest = await manifestOf(join(folder, "node_modules", name))
    if (typeof manifest.bin === "object") {
      // A command exports nothing: it runs.
      const [path = ""] = Object.values(manifest.bin)
      const printed = await execute("node", [join(folder, "node_modules", name, path), "--help"], { cwd: folder })
      expect(printed).toContain("countersign")
      expect(manifest.exports).toEqual({ "./package.json": "./package.json" })
      return
    }
    const paths = Object.keys(manifest.exports ?? {}).map((path) => join(name, path))
    expect(paths).toContain(name)
    const load = `for (const path of ${JSON.stringify(paths)}) {
      if (!import.meta.resolve(path).includes("/dist/")) throw new Error(path)
      console.log(Object.keys(await import(path)).length > 0)
    }`
    const printed = await execute("node", ["--input-type=module", "--eval", load], { cwd: folder })
    expect(printed.trim().split("\n")).toEqual(paths.map(() => "true"))
  })
})

/** Entry points for browsers with their maximum size, minified and compressed, Effect included. */
const bundles = [
  ["@countersign/core/models", 220],
  ["@countersign/core/crypto", 90],
  ["@countersign/client/api", 220],
  ["@countersign/client", 260],
  ["@countersign/client/tape", 100],
  ["@countersign/client/webhook", 5],
] as const

describe("for a browser", () => {
  it.each(bundles)("%s is at most %i kB", async (path, kilobytes) => {
    const { metafile, outputFiles } = await build({
      stdin: { contents: `export * from "${path}"`, resolveDir: packed.folder },
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      write: false,
      metafile: true,
      logLevel: "silent",
    })
    const [file] = outputFiles
    // @hpke/core looks for Node's crypto where there is no Web Cryptography, which a browser has.
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
    expect(imports.filter(({ kind }) => kind !== "dynamic-import")).toEqual([])
    expect(gzipSync(file?.contents ?? "").length / 1000).toBeLessThan(kilobytes)
  })

  it("fails to bundle the server", async () => {
    const stdin = { contents: 'export * from "@countersign/adapter-http"', resolveDir: packed.folder }
    const bundling = build({ stdin, bundle: true, platform: "browser", write: false, logLevel: "silent" })
    await expect(bundling).rejects.toThrow(/node:/u)
  })
})

const runners = ["jest", "node-test", "vitest"]

const served = {
  small: [201, "APPROVED"],
  approved: [200, "APPROVED"],
  malformed: [400, "INVALID_INPUT"],
  balance: 25_000,
}

describe("the examples", { timeout: 300_000 }, () => {
  it("are complete", () => {
    const serving = ["effect", "express", "fastify", "hono", "next", "node-http"]
    const banks = ["bank-python", "bank-typescript"]
    const others = ["generated-client", "promise", "store-sqlite"]
    expect(examples).toEqual([...banks, ...serving, ...runners, ...others].toSorted())
  })

  it.each([
    ["NodeNext", false],
    ["Preserve", true],
  ])("type-check with module %s", async (module, skipLibCheck) => {
    const include: Array<string> = []
    for (const name of examples.filter((each) => each !== "generated-client" && each !== "bank-python")) {
      await example(name)
      include.push(`${name}/src`)
    }
    const types = [join(repository, "node_modules/@types/node")]
    const config = { extends: "./express/tsconfig.json", compilerOptions: { module, skipLibCheck, types }, include }
    const path = join(packed.folder, `${module}.json`)
    writeFileSync(path, JSON.stringify(config))
    await execute("tsc", ["--project", path], { cwd: packed.folder })
  })

  it.each(["node-http", "fastify", "hono", "next"])(
    "the example %s serves requests and ends with SIGTERM",
    async (name) => {
      await using running = await start(await example(name))
      expect(await tour(running.base)).toEqual(served)
      // The webhook key and the page for cards are outside the base path; an unknown path or method has an error body.
      expect((await fetch(new URL("/webhooks/public-key", running.base))).status).toBe(401)
      for (const [path, method, status] of [
        ["/sandbox/none", "GET", 404],
        ["/2025-10-13/customers", "PUT", 405],
      ] as const) {
        const refused = await fetch(new URL(path, running.base), { method })
        expect([refused.status, await refused.json()]).toMatchObject([status, { status, code: expect.any(String) }])
      }
      expect(await running.stop()).toBe(0)
    },
  )

  it("the example express serves requests on PostgreSQL and ends with SIGTERM", async () => {
    const database = await TestDatabase.create()
    try {
      await using running = await start(await example("express"), { DATABASE_URL: database.url })
      expect(await tour(running.base)).toEqual(served)
      expect(await (await fetch(new URL("/", running.base))).text()).toBe("Your application")
      expect(await running.stop()).toBe(0)
      const kept = await database.pool.query("select count(*)::int as n from countersign.agent_action")
      expect(kept.rows).toEqual([{ n: 2 }])
    } finally {
      await database.close()
    }
  })

  it("effect serves with its own ports, tracer, logger and metrics", async () => {
    await using running = await start(await example("effect"))
    expect(await tour(running.base)).toEqual(served)
    const metrics = await (await fetch(new URL("/metrics", running.base))).text()
    expect(metrics).toMatch(/^countersign_commits_total\{.*operation="AgentActions.submitTransferIn".*\} \d+$/mu)
    expect(await running.stop()).toBe(0)
    expect(running.stdout()).toContain("spans of Bank.move: 2")
    expect(running.stdout()).toMatch(/"type":"AGENT_ACTION.PENDING_APPROVAL"/u)
  })

  it("the runners' examples pass, and each runner counts the same number of tests", async () => {
    const counts: Array<string | undefined> = []
    for (const name of runners) {
      const printed = stripVTControlCharacters(
        await execute("sh", ["-c", "npm test 2>&1"], { cwd: await example(name) }),
      )
      counts.push(/^(?:Tests:|\s*Tests|ℹ pass)\s+(\d+)/mu.exec(printed)?.[1])
    }
    expect(counts.map((count) => count === counts[0])).toEqual([true, true, true])
    expect(Number(counts[0])).toBeGreaterThan(150)
  })

  it("store-sqlite serves, and passes its own tests: conformance, kills and restarts", async () => {
    const folder = await example("store-sqlite")
    await using running = await start(folder)
    expect(await tour(running.base)).toEqual(served)
    expect(await running.stop()).toBe(0)
    const printed = stripVTControlCharacters(await execute("sh", ["-c", "npm test 2>&1"], { cwd: folder }))
    expect(printed).toMatch(/^ *Test Files +3 passed \(3\)$/mu)
    expect(Number(/^ *Tests +(\d+) passed/mu.exec(printed)?.[1])).toBeGreaterThan(270)
  })

  it("promise runs to its end, and prints the expected lines", async () => {
    const printed = await execute("node", ["src/main.ts"], { cwd: await example("promise") })
    expect(printed.trim().split("\n")).toEqual([
      "APPROVED",
      "PENDING_APPROVAL",
      "APPROVED",
      "403 FORBIDDEN perTransactionLimit",
    ])
  })

  it("generated-client is generated from the served document, type-checks, and gets answers", async () => {
    await using running = await start(await example("node-http"))
    const folder = await example("generated-client")
    const env = { BASE: running.base, BASE_ORIGIN: new URL(running.base).origin }
    await execute("npm", ["run", "generate"], { cwd: folder, env })
    await execute("node", ["node_modules/typescript/bin/tsc"], { cwd: folder })
    const printed = await execute("node", ["src/main.ts"], { cwd: folder, env })
    expect(printed.trim().split("\n")).toEqual(["100000", "ACTIVE MXN_ACCOUNT", "400 INVALID_INPUT"])
  })
})
