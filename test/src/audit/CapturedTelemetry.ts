/** Captures logs and spans, for tests that no secret reaches them. */
import { Cause, Exit, Layer, Logger, References, Tracer } from "effect"

/** Records all log lines and spans of a deployment. */
export const captureTelemetry = () => {
  const lines: Array<string> = []
  const spans: Array<Tracer.NativeSpan> = []
  /** The failure of a span, as exporters send it. */
  const failureOf = ({ status }: Tracer.NativeSpan) =>
    status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""
  const text = () =>
    [
      ...lines,
      ...spans.map((span) => JSON.stringify([span.name, [...span.attributes], failureOf(span)])),
      ...spans.flatMap(({ events }) => events.map(([name, , attributes]) => JSON.stringify([name, attributes]))),
    ].join("\n")
  const layer = Layer.mergeAll(
    Logger.layer([
      Logger.map(Logger.formatJson, (line) => void lines.push(line)),
      Logger.map(Logger.formatLogFmt, (line) => void lines.push(line)),
    ]),
    Layer.succeed(References.MinimumLogLevel, "All"),
    Layer.succeed(
      Tracer.Tracer,
      Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        },
      }),
    ),
  )
  return { layer, lines, spans, text }
}
