/**
 * Takes a report: verifies its signature, time and id, stores it for the platform that it names, and signs the receipt.
 * Source: D-527.
 */
import { CurrentCaller, Outside, SeenReports, ServiceError, tenant } from "@countersign/core"
import { Clock, Effect, Option, Result, Schema } from "effect"
import type { ReportOperation, ReportServices } from "../contract/ReportOperation.ts"
import { reportOperations } from "../contract/ReportOperations.ts"
import { headerNames, isSigned, type PortSecrets, sign } from "../signing/Signatures.ts"

/** How far the time of a report may be from now. */
const windowMillis = 5 * 60 * 1000

/** The largest report, in bytes. */
export const reportBytesMax = 256 * 1024

/** A report as its request brought it, for a server without the Fetch API. */
export interface ReceivedReport {
  /** The path as the bank sent it. */
  readonly path: string
  /** Returns a header by its name; `null` or `undefined` if the request has none. */
  readonly header: (name: string) => string | null | undefined
  /** The exact bytes, which the signature covers. */
  readonly body: Uint8Array
}

/** The signed response to a report. */
export interface Receipt {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How reports are verified. */
export interface TakeReportOptions {
  /** The newest first. */
  readonly secrets: PortSecrets
  /** Unix milliseconds of real time. Default: the clock of the process. */
  readonly now?: () => number
}

const processClock = Clock.Clock.defaultValue()

const operations: ReadonlyArray<ReportOperation> = Object.values(reportOperations)

const Envelope = Schema.Struct({ platformId: Schema.String, report: Schema.Record(Schema.String, Schema.Json) })

const refusal = (status: number, code: string, message: string) => ({ status, body: { code, message } })

const unsigned = (message: string): Receipt => ({
  status: 401,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ code: "UNAUTHORIZED", message }),
})

const malformed = refusal(400, "INVALID_INPUT", "The body is not a report of this path.")

const seenBefore = refusal(409, "CONFLICT", "A report with this id was received before. Send it again under a new id.")

/** Stores a report whose sender is known. */
const stored = Effect.fnUntraced(function* (operation: ReportOperation, id: string, body: Uint8Array) {
  const parsed = Outside.parseStorable(new TextDecoder().decode(body))
  const envelope = Result.isSuccess(parsed) ? Schema.decodeUnknownOption(Envelope)(parsed.success) : Option.none()
  if (Option.isNone(envelope)) return malformed
  const { platformId, report } = envelope.value
  const taken = yield* Effect.result(operation.take(report))
  if (Result.isFailure(taken)) return malformed
  const answered = Effect.map(taken.success, (answer) => ({ status: 200, body: answer }))
  return yield* Effect.flatMap(
    SeenReports.use((seen) => seen.note(id)),
    (isNew) => (isNew ? answered : Effect.succeed(seenBefore)),
  ).pipe(
    Effect.provideService(CurrentCaller, tenant(platformId)),
    Effect.catch((failure) =>
      failure instanceof ServiceError
        ? Effect.succeed(refusal(failure.status, failure.code, failure.message))
        : Effect.succeed(refusal(503, "SERVICE_UNAVAILABLE", "The service cannot answer now. Send the report again.")),
    ),
    Effect.catchDefect((defect) =>
      Effect.as(
        Effect.logError("a report failed", defect),
        refusal(500, "INTERNAL_ERROR", "An internal error occurred. Send the report again."),
      ),
    ),
  )
})

/** Returns the function that takes reports. */
export const makeTakeReport = ({ now = () => processClock.currentTimeMillisUnsafe(), secrets }: TakeReportOptions) => {
  return Effect.fn("PortReports.take")(function* (
    received: ReceivedReport,
  ): Effect.fn.Return<Receipt, never, ReportServices> {
    const { body, header, path } = received
    const [id, timestamp] = [header(headerNames.id) ?? "", header(headerNames.timestamp) ?? ""]
    const message = { direction: "report", methodOrStatus: "POST", path, timestamp, id, body } as const
    if (!isSigned(secrets, message, header(headerNames.signature))) return unsigned("The signature is not valid.")
    const at = Number(timestamp) * 1000
    // The comparison is false for a time that is not a number.
    if (!(Math.abs(now() - at) <= windowMillis))
      return unsigned("The time of the report is not within five minutes of now.")
    const operation = operations.find((each) => path.endsWith(each.path))
    const { body: answer, status } =
      operation === undefined
        ? refusal(404, "REFERENCE_NOT_FOUND", "There is no such report.")
        : yield* stored(operation, id, body)
    const text = JSON.stringify(answer)
    const signed = {
      ...message,
      direction: "receipt",
      methodOrStatus: String(status),
      body: Buffer.from(text),
    } as const
    return {
      status,
      headers: { "Content-Type": "application/json", [headerNames.signature]: sign(secrets, signed) },
      body: text,
    }
  })
}
