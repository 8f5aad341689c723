/** The page of the ports over HTTP: every operation and every report of the contract. */
import { reportOperations } from "@countersign/ports-http"
import { deadlines } from "../../packages/ports-http/src/contract/PortOperation.ts"
import { code, page, table } from "./Markdown.ts"
import { portRows } from "./PortsDocument.ts"

const repetitions = {
  none: "changes nothing",
  reference: "is known by its reference",
  key: "is known by its key; it is sent once more",
  again: "acts again; it is never sent twice",
} as const

export const portsPage = (): string =>
  page(
    "Operations of the ports over HTTP",
    "the tables of `packages/ports-http/src/contract`",
    "Requests and answers are in [`schema/openapi.json`](../packages/ports-http/schema/openapi.json), signatures and outcomes in the [guide](guides/ports-over-http.md).",
    table(
      ["Port", "Operation", "What it does", "A second request", "Waits for", "A lost answer"],
      portRows.map(({ deadline, lost, path, port, repetition, summary }) => [
        code(port),
        code(`POST ${path}`),
        summary,
        repetitions[repetition],
        `${deadlines[deadline] / 1000} s`,
        lost === "Unknown" ? "is `Unknown`" : "is a 503, or the job is retried",
      ]),
    ),
    "## Reports",
    "A bank sends them to the service.",
    table(
      ["Report", "What it tells"],
      Object.values(reportOperations).map(({ path, summary }) => [code(`POST ${path}`), summary]),
    ),
  )
