/**
 * Traces, metrics and logs to a collector, switched on by the standard variables of OpenTelemetry (`OTEL_EXPORTER_OTLP_ENDPOINT` and its
 * like); without them nothing happens. Source: issue "The Embed door", item 3; D-195.
 */
import { Config, ConfigProvider, Effect, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp, type OtlpExporter, OtlpSerialization } from "effect/observability"

const serialization = Config.String("OTEL_EXPORTER_OTLP_PROTOCOL").pipe(
  Config.withDefault("http/protobuf"),
  Config.map((protocol) => (protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf)),
)

/** The standard's own default is `unknown_service`. */
const resource = Config.all({
  name: Config.option(Config.String("OTEL_SERVICE_NAME")),
  attributes: Config.String("OTEL_RESOURCE_ATTRIBUTES").pipe(Config.withDefault("")),
}).pipe(
  Config.map(({ attributes, name }) =>
    Option.isSome(name) || attributes.includes("service.name=") ? {} : { resource: { serviceName: "countersign" } },
  ),
)

/** What the standard says where a variable is not set: an endpoint alone switches all three on. */
const standardDefaults = ConfigProvider.layerAdd(
  ConfigProvider.fromUnknown({
    OTEL_LOGS_EXPORTER: "otlp",
    OTEL_METRICS_EXPORTER: "otlp",
    OTEL_TRACES_EXPORTER: "otlp",
  }),
)

/** A setting for `embed`, and part of `countersign serve`. A variable that cannot be read is a defect at the start. */
export const layer: Layer.Layer<OtlpExporter.Flusher> = Effect.gen(function* () {
  const encoding = yield* serialization
  const named = yield* resource
  return Otlp.layerFromConfig(named).pipe(
    Layer.provide(Layer.mergeAll(encoding, FetchHttpClient.layer, standardDefaults)),
  )
}).pipe(Effect.orDie, Layer.unwrap)
