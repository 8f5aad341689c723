/**
 * The reports of a bank as a handler for servers with the Fetch API.
 * Source: docs/guides/ports-over-http.md; D-527.
 */
import { boundedBytes } from "@countersign/core/ports"
import type { Effect } from "effect"
import type { ReportServices } from "../contract/ReportOperation.ts"
import { makeTakeReport, reportBytesMax, type TakeReportOptions } from "./TakeReport.ts"

/** How reports are verified, and where they are stored. */
export interface PortReportsOptions extends TakeReportOptions {
  /** Runs an effect with the services: `run` of what `embed` returns. */
  readonly run: <A>(effect: Effect.Effect<A, never, ReportServices>) => Promise<A>
}

const tooLarge = () =>
  Response.json({ code: "INVALID_REQUEST_FORMAT", message: "The body is too large." }, { status: 413 })

/** Route every request below the address of the reports to it. */
export const portReports = ({ run, ...options }: PortReportsOptions): ((request: Request) => Promise<Response>) => {
  const take = makeTakeReport(options)
  return async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { Allow: "POST" } })
    const body = await boundedBytes(request.body, reportBytesMax)
    if (body === undefined) return tooLarge()
    const { pathname: path } = new URL(request.url)
    const receipt = await run(take({ path, header: (name) => request.headers.get(name), body }))
    return new Response(receipt.body, { status: receipt.status, headers: receipt.headers })
  }
}
