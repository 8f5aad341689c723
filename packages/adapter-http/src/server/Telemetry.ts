/**
 * Exports traces, metrics and logs to an OpenTelemetry collector. The standard variables, such as `OTEL_EXPORTER_OTLP_ENDPOINT`, enable it;
 * without them nothing is exported. Source: D-195.
 */
import { Config, ConfigProvider, Effect, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp, type OtlpExporter, OtlpSerialization } from "effect/observability"

const serialization = Config.String("OTEL_EXPORTER_OTLP_PROTOCOL").pipe(
  Config.withDefault("http/protobuf"),
  Config.map((protocol) => (protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf)),
)

/** The service name, where the variables name none: the standard's default is `unknown_service`. */
const resource = Config.all({
  name: Config.option(Config.String("OTEL_SERVICE_NAME")),
  attributes: Config.String("OTEL_RESOURCE_ATTRIBUTES").pipe(Config.withDefault("")),
}).pipe(
  Config.map(({ attributes, name }) =>
    Option.isSome(name) || attributes.includes("service.name=") ? {} : { resource: { serviceName: "countersign" } },
  ),
)

/** The standard's defaults for unset variables: an endpoint alone enables all three signals. */
const standardDefaults = ConfigProvider.layerAdd(
  ConfigProvider.fromUnknown({
    OTEL_LOGS_EXPORTER: "otlp",
    OTEL_METRICS_EXPORTER: "otlp",
    OTEL_TRACES_EXPORTER: "otlp",
  }),
)

/** A layer for `embed`, and part of `countersign serve`. A malformed variable is a defect at the start. */
export const layer: Layer.Layer<OtlpExporter.Flusher> = Effect.gen(function* () {
  const encoding = yield* serialization
  const options = yield* resource
  return Otlp.layerFromConfig(options).pipe(
    Layer.provide(Layer.mergeAll(encoding, FetchHttpClient.layer, standardDefaults)),
  )
}).pipe(Effect.orDie, Layer.unwrap)
