/** An embedded service whose log lines, spans and metrics are recorded. */
import { type Embedded, embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { WebhookTransport } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer, Logger, Metric, References, Tracer } from "effect"

export const credentials = { clientId: "watched", clientSecret: "a-secret-that-nobody-logs" }

/** Responds with 200 and stores nothing, because deliveries contain personal data. */
const receiver = Layer.succeed(WebhookTransport, {
  check: () => Effect.undefined,
  send: () => Effect.succeed({ _tag: "Answered", status: 200, body: "" }),
})

export interface Watched extends AsyncDisposable {
  readonly service: Embedded
  /** The log lines as written. */
  readonly lines: ReadonlyArray<string>
  /** The exported spans: names and attributes. */
  readonly spans: ReadonlyArray<Tracer.NativeSpan>
  readonly metrics: () => ReadonlyArray<Metric.Metric.Snapshot>
}

export const watched = async (): Promise<Watched> => {
  const lines: Array<string> = []
  const spans: Array<Tracer.NativeSpan> = []
  const registry = new Map()
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  const settings = Layer.mergeAll(
    Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))]),
    Layer.succeed(References.MinimumLogLevel, "All"),
    Layer.succeed(Tracer.Tracer, tracer),
    Layer.succeed(Metric.MetricRegistry, registry),
  )
  const service = await embed({
    store: MemoryStore.layer,
    ports: Sandbox.layer,
    sandbox: true,
    platforms: [{ ...credentials, webhookEndpoint: "https://platform.example/hooks" }],
    webhookTransport: receiver,
    metrics: true,
    settings,
  })
  return {
    service,
    lines,
    spans,
    metrics: () => Effect.runSync(Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry)),
    [Symbol.asyncDispose]: service.dispose,
  }
}
