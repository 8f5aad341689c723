/** A page of a list on the wire. Source: wire contract 0.3. */
import { Schema } from "effect"
import { totalCountMax } from "./Page.ts"

/** The page of a resource. `nextCursor` is present only when another page exists. */
export const PageOf = <S extends Schema.Top>(item: S, identifier: string) =>
  Schema.Struct({
    data: Schema.Array(item),
    hasMore: Schema.Boolean.annotate({ description: "Whether another page exists." }),
    nextCursor: Schema.optionalKey(Schema.String.annotate({ description: "Opaque; only when hasMore is true." })),
    totalCount: Schema.optionalKey(
      Schema.Int.annotate({
        description: `Count over all pages for the same filters; absent above ${totalCountMax}.`,
      }),
    ),
  }).annotate({ identifier })
