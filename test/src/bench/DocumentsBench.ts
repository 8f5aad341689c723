/**
 * Measures the longest turn of the event loop during the first requests for the documents and pages, each in a process of its own, and what
 * these requests take of the process.
 * Source: D-511.
 */
import { fakeService } from "../wire/FakeService.ts"
import { part } from "./Child.ts"
import { longestTurn } from "./LoopTurns.ts"
import { median, type Settings } from "./Rounds.ts"

const paths = ["/openapi.json", "/docs", "/docs/static", "/docs/samples.json", "/docs/guide", "/console"] as const

export interface DocumentsOptions {
  readonly path: string
  readonly encoding: string
}

interface First {
  readonly turn: number
  readonly millis: number
  readonly cpu: number
}

/** Asks a fresh service once, and prints the longest turn. */
export const firstRequest = async ({ encoding, path }: DocumentsOptions): Promise<void> => {
  const service = fakeService({ console: true })
  const ask = async (asked: string) => {
    const response = await service.handler(
      new Request(`http://service.test${asked}`, { headers: { "accept-encoding": encoding } }),
    )
    return response.arrayBuffer()
  }
  // The first request of all builds the handlers.
  await ask("/healthz")
  const [start, used] = [performance.now(), process.cpuUsage()]
  const turn = await longestTurn(() => ask(path))
  const { system, user } = process.cpuUsage(used)
  const first: First = { turn, millis: performance.now() - start, cpu: (user + system) / 1000 }
  process.stdout.write(`first ${JSON.stringify(first)}\n`)
  await service.dispose()
}

export const documentsBench = async ({ rounds }: Settings, write: (text: string) => void): Promise<void> => {
  write("\n## First requests for documents\n")
  write("| path | coding | longest turn ms | answer after ms | process ms |\n|---|---|---:|---:|---:|")
  for (const path of paths) {
    for (const encoding of ["identity", "gzip", "br"]) {
      const found: Array<First> = []
      for (let round = 0; round < rounds; round++) {
        await using child = await part("first", "document", { path, encoding })
        found.push(JSON.parse(child.output) as First)
      }
      const of = (name: keyof First) => median(found.map((each) => each[name]))
      write(`| ${[path, encoding, of("turn").toFixed(1), of("millis").toFixed(0), of("cpu").toFixed(0)].join(" | ")} |`)
    }
  }
}
