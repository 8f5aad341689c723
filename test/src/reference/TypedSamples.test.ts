/** The samples of the typed client pass the compiler of this repository, with the types that the client has. Source: D-437, D-484. */
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { OpenApiDocument } from "@countersign/adapter-http"
import type { makeClient } from "@countersign/client"
import { Api, endpointsOf } from "@countersign/client/api"
import { expect, expectTypeOf, it } from "vitest"
import { codeSamples } from "../../../packages/adapter-http/src/server/CodeSamples.ts"
import { execute, repository } from "../packages/Packed.ts"

const groups = new Map(endpointsOf(Api).map(({ endpoint, group }) => [endpoint.identifier, group]))
const all = codeSamples(OpenApiDocument.make(Api, "/2025-10-13"), (id) => groups.get(id) ?? "")
const programs = Object.entries(all).map(
  ([id, samples]) => [id, samples.find(({ label }) => label === "Typed client")?.source ?? ""] as const,
)

/** A folder in which `@countersign/client` is found; nothing else is in it. */
const folder = join(repository, "node_modules/.cache/typed-samples")

const settings = {
  extends: join(repository, "tsconfig.base.json"),
  compilerOptions: {
    noEmit: true,
    composite: false,
    declarationMap: false,
    sourceMap: false,
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
  },
  include: ["*.ts"],
}

/** Returns what the compiler says of the programs. */
const compiled = async (sources: ReadonlyArray<readonly [string, string]>): Promise<string> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings))
  for (const [id, source] of sources) await writeFile(join(folder, `${id}.ts`), source)
  return execute("tsc", ["-p", "tsconfig.json"], { cwd: folder }).catch(String)
}

it("are accepted by the compiler, and one with a wrong name or value is not", { timeout: 300_000 }, async () => {
  const [, right = ""] = programs.find(([id]) => id === "createTransferOut") ?? []
  const wrong = [
    ["wrongMethod", right.replace("createTransferOut", "createTransferAway")],
    ["wrongValue", right.replace('"ACH"', '"PIGEON"')],
  ] as const
  const said = await compiled([...programs, ...wrong])
  const complaints = said.split("\n").flatMap((line) => /^(?:.*: )?(\w+)\.ts\(\d+,\d+\): error/u.exec(line)?.[1] ?? [])
  expect([...new Set(complaints)].toSorted()).toEqual(["wrongMethod", "wrongValue"])
  await rm(folder, { recursive: true, force: true })
})

it("read a stream of events as a stream", () => {
  type Watch = ReturnType<typeof makeClient>["operatorChanges"]["watchChanges"]
  expectTypeOf<Awaited<ReturnType<Watch>>>().toEqualTypeOf<ReadableStream<Uint8Array>>()
})
