/**
 * The benchmarks: `npm run bench`, or `npm run bench -- commits` (or `http`, `start`, `crypto`, `bounds`, `deliveries`, `lives`, `pages`,
 * `documents`, `growth`, `cells`), with `--rounds 5 --seconds 6` for calmer figures, and `--rows 10000000` for more growth.
 * `npm run bench -- --against COMMIT` compares transfers over HTTP with another commit, `lives --against COMMIT` their whole lives, and
 * `growth --against COMMIT` a platform that has grown.
 * With COUNTERSIGN_TEST_CLUSTER `cells` measures commits and moves on the nodes of a cluster, too; `cluster` these alone.
 * `npm run bench -- short` takes a minute or two. `--record` appends the run's figures to docs/performance/figures.json and draws them.
 * Nothing here is a test: it prints ratios that are measured side by side on the machine at hand.
 */
import { parseArgs } from "node:util"
import { againstBench } from "../src/bench/AgainstBench.ts"
import { boundsBench } from "../src/bench/BoundsBench.ts"
import { cellsBench } from "../src/bench/CellsBench.ts"
import { checkout } from "../src/bench/Checkout.ts"
import { clusterBench } from "../src/bench/ClusterBench.ts"
import { commitBench } from "../src/bench/CommitBench.ts"
import { cryptoBench } from "../src/bench/CryptoBench.ts"
import { deliveriesBench } from "../src/bench/DeliveriesBench.ts"
import { type DocumentsOptions, documentsBench, firstRequest } from "../src/bench/DocumentsBench.ts"
import { type DurableServer, durableServer, settings as serverSettings } from "../src/bench/DurableServer.ts"
import { type EchoOptions, echo } from "../src/bench/Echo.ts"
import { endToEndBench } from "../src/bench/EndToEndBench.ts"
import { record, recordedFigures, thisRun } from "../src/bench/FigureFiles.ts"
import { compareFigures, figuresReport, measuredFigures } from "../src/bench/Figures.ts"
import { growthBench } from "../src/bench/GrowthBench.ts"
import { type HttpLoadOptions, httpLoad } from "../src/bench/HttpLoad.ts"
import { livesBench } from "../src/bench/LivesBench.ts"
import { machine } from "../src/bench/Machine.ts"
import { movesBench } from "../src/bench/MovesBench.ts"
import { pagesBench } from "../src/bench/PagesBench.ts"
import { pgbenchVersion } from "../src/bench/Pgbench.ts"
import { compare, type Ratio } from "../src/bench/Rounds.ts"
import { shortBench } from "../src/bench/ShortBench.ts"
import { type SlowReceiverOptions, slowReceiver } from "../src/bench/SlowReceiver.ts"
import { startCases } from "../src/bench/StartRatio.ts"
import { startUpBench } from "../src/bench/StartUpBench.ts"

const write = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string" },
    /** Another commit, whose service is measured beside this one instead of the benchmarks. */
    against: { type: "string" },
    /** How many transactions the grown database of `growth` has. */
    rows: { type: "string", default: "100000" },
    record: { type: "boolean", default: false },
    /** A folder for the profile of the service. */
    profile: { type: "string" },
    /** One part in this process, for the benchmark itself. */
    part: { type: "string" },
  },
})

const benchmarks = [
  "crypto",
  "bounds",
  "commits",
  "http",
  "start",
  "deliveries",
  "lives",
  "pages",
  "documents",
  "growth",
  "cells",
] as const
/** Those that need no server. */
const inProcess: ReadonlyArray<string> = ["crypto", "bounds", "pages", "documents"]

const isShort = values.part === undefined && positionals.includes("short")
const settings = { rounds: Number(values.rounds), seconds: Number(values.seconds ?? (isShort ? "2" : "3")) }

const startServer = async (): Promise<DurableServer> => {
  const started = await durableServer()
  write(`Server: PostgreSQL ${started.version}, one for all cases, ${serverSettings.join(", ")}`)
  return started
}

const growth = (server: DurableServer, other?: { readonly name: string; readonly folder: string }) =>
  growthBench(server, { rows: Number(values.rows), rounds: settings.rounds, other }, write)

const against = async (commit: string): Promise<void> => {
  write(`Machine: ${machine()}`)
  await using server = await startServer()
  const isGrowth = positionals.includes("growth")
  if (!isGrowth && !positionals.includes("lives")) return await againstBench(server, settings, commit, write)
  await using other = await checkout(commit)
  return await (isGrowth ? growth(server, other) : livesBench(server, settings, [other, { name: "now" }], write))
}

/** Prints the figures of the ratios beside their limits and the recorded ones, and records them if that is asked for. */
const conclude = (ratios: ReadonlyArray<Ratio>): void => {
  const measured = measuredFigures(ratios, thisRun())
  if (measured.length === 0) return
  write(figuresReport(compareFigures(measured, recordedFigures())))
  if (values.record) record(measured)
}

const short = async (): Promise<void> => {
  write(`Machine: ${machine()}`)
  await using server = await startServer()
  conclude(await shortBench(server, settings, write))
}

const all = async (): Promise<void> => {
  const wanted = benchmarks.filter((name) => positionals.length === 0 || positionals.includes(name))
  write(`Machine: ${machine()}`)
  const ratios: Array<Ratio> = []
  if (wanted.includes("crypto")) ratios.push(...(await cryptoBench(settings, write)))
  if (wanted.includes("pages")) await pagesBench(settings, write)
  if (wanted.includes("documents")) await documentsBench(settings, write)
  if (wanted.includes("bounds")) await boundsBench(settings, write)
  // Of cells on the nodes of a cluster, where there is one.
  const onNodes = wanted.includes("cells") && process.env["COUNTERSIGN_TEST_CLUSTER"] !== undefined
  if (onNodes || positionals.includes("cluster")) {
    await clusterBench(settings, write)
    await movesBench(write)
  }
  if (wanted.every((name) => inProcess.includes(name))) return conclude(ratios)
  await using server = await startServer()
  write(`Base: ${pgbenchVersion() ?? "pgbench is not installed, 8 clients of the driver stand in for it"}`)
  if (wanted.includes("commits")) ratios.push(...(await commitBench(server, settings, write)))
  if (wanted.includes("http"))
    ratios.push(...(await endToEndBench(server, settings, { profile: values.profile }, write)))
  if (wanted.includes("deliveries")) await deliveriesBench(server, settings, write)
  if (wanted.includes("lives")) await livesBench(server, settings, [{ name: "now" }], write)
  if (wanted.includes("growth")) await growth(server)
  if (wanted.includes("cells")) await cellsBench(server, settings, write)
  if (wanted.includes("start")) {
    await startUpBench(server, settings, write)
    ratios.push(...(await compare("Start beside a bare server", await startCases(), settings, write)))
  }
  conclude(ratios)
}

if (values.against !== undefined) await against(values.against)
else if (values.part === undefined) await (isShort ? short() : all())
else if (values.part === "echo") echo(JSON.parse(positionals[0] ?? "") as EchoOptions)
else if (values.part === "document") await firstRequest(JSON.parse(positionals[0] ?? "") as DocumentsOptions)
else if (values.part === "receiver") slowReceiver(JSON.parse(positionals[0] ?? "") as SlowReceiverOptions)
else await httpLoad(JSON.parse(positionals[0] ?? "") as HttpLoadOptions)
