/**
 * A row of the reports: what a bank tells the service later, or by itself, and the service's call that stores it.
 * Source: D-527.
 */
import type {
  AccountVerifications,
  CardProvisionings,
  CardTransactions,
  CollectionAccounts,
  CurrentCaller,
  Deposits,
  Outcomes,
  SeenReports,
  ServiceError,
  Verifications,
} from "@countersign/core"
import type { StoreUnavailable } from "@countersign/core/store"
import { Effect, Schema } from "effect"

/** The services that store reports. */
export type ReportServices =
  | AccountVerifications
  | CardProvisionings
  | CardTransactions
  | CollectionAccounts
  | Deposits
  | Outcomes
  | SeenReports
  | Verifications

export type Stored<A> = Effect.Effect<A, ServiceError | StoreUnavailable, ReportServices | CurrentCaller>

export interface ReportOperation {
  /** `/rails/outcome`: the path below the address of the reports. */
  readonly path: `/${string}/${string}`
  readonly summary: string
  /** Whom or what the report is about, and what is reported: both are members of one object. */
  readonly parts: ReadonlyArray<Schema.Codec<unknown, unknown>>
  /** The answer besides `{}`. */
  readonly answer?: Schema.Codec<unknown, unknown>
  /** Decodes a report and stores it; fails with a `SchemaError` for one that is malformed. */
  readonly take: (report: unknown) => Effect.Effect<Stored<unknown>, Schema.SchemaError>
}

interface Row<About, Content, A> {
  readonly path: ReportOperation["path"]
  readonly summary: string
  readonly about: Schema.Codec<About, unknown>
  readonly content: Schema.Codec<Content, unknown>
  readonly answer?: Schema.Codec<A, unknown>
  readonly store: (about: About, content: Content) => Stored<A>
}

export const report = <About, Content, A = void>({
  about,
  answer,
  path,
  store,
  summary,
  content,
}: Row<About, Content, A>) => {
  const decodeAbout = Schema.decodeUnknownEffect(about)
  const decodeContent = Schema.decodeUnknownEffect(content)
  const row: ReportOperation = {
    path,
    summary,
    parts: [about, content],
    ...(answer === undefined ? {} : { answer }),
    take: (given) =>
      Effect.map(Effect.all([decodeAbout(given), decodeContent(given)]), ([subject, known]) => {
        const stored = store(subject, known)
        return answer === undefined
          ? Effect.as(stored, {})
          : Effect.flatMap(stored, (value) => Effect.orDie(Schema.encodeEffect(answer)(value)))
      }),
  }
  return row
}
