/** Measures the time from the command of `npm start` to the first response, and the memory of the process, for each kind of store. */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { basic, client } from "../e2e/Client.ts"
import { credentialOptions, credentials } from "../e2e/Flow.ts"
import { bareHttpServer, bundledService, type Child } from "./Child.ts"
import type { DurableServer } from "./DurableServer.ts"
import { median, type Settings } from "./Rounds.ts"

interface Started {
  readonly millis: number
  readonly residentMebibytes: number
}

const residentMebibytes = async (pid: number): Promise<number> => {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)])
  return Number(stdout) / 1024
}

const startUp = async (start: () => Promise<Child>): Promise<Started> => {
  const begun = performance.now()
  await using running = await start()
  const platform = client(running.output, basic(credentials.clientId, credentials.clientSecret))
  const { status, text } = await platform("GET", "/config")
  const millis = performance.now() - begun
  if (status !== 200) throw new Error(text)
  return { millis, residentMebibytes: await residentMebibytes(running.pid) }
}

interface Place {
  readonly name: string
  /** The address of the store for this round; none for the bare server. */
  readonly store?: (round: number) => Promise<string>
}

export const startUpBench = async (
  server: DurableServer,
  { rounds }: Settings,
  write: (text: string) => void,
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-start-"))
  const places: ReadonlyArray<Place> = [
    { name: "nothing: `node:http` alone" },
    { name: "memory", store: async () => "memory" },
    { name: "PGlite, a new folder", store: async (round) => `pglite:${join(folder, `new-${round}`)}` },
    { name: "PGlite, a folder that is there", store: async () => `pglite:${join(folder, "new-0")}` },
    {
      name: "PostgreSQL, an empty database",
      store: async (round) => {
        await server.create(`start_${round}`)
        return server.url(`start_${round}`)
      },
    },
    { name: "PostgreSQL, a database that is there", store: async () => server.url("start_0") },
  ]
  // The first start may have to build the bundle and compile it, and is not measured.
  await startUp(() => bundledService([...credentialOptions, "--store", "memory"]))
  const found = new Map<string, Array<Started>>(places.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const { name, store } of places) {
      const address = await store?.(round)
      const started = await startUp(() =>
        address === undefined ? bareHttpServer() : bundledService([...credentialOptions, "--store", address]),
      )
      found.get(name)?.push(started)
      process.stderr.write(`  round ${round + 1}  ${name}  ${Math.round(started.millis)} ms\n`)
    }
  }
  write(
    [
      "",
      "## Start",
      "",
      `Medians of ${rounds} alternating starts: from the command to the first answered request, and resident memory then.`,
      "",
      "| kept in | ms | MiB |",
      "| --- | ---: | ---: |",
      ...[...found].map(
        ([name, all]) =>
          `| ${name} | ${Math.round(median(all.map(({ millis }) => millis)))} | ${Math.round(median(all.map((each) => each.residentMebibytes)))} |`,
      ),
      "",
    ].join("\n"),
  )
  await rm(folder, { recursive: true, force: true })
}
