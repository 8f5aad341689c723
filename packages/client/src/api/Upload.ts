/**
 * Requests in `multipart/form-data`: their limits as an annotation of the endpoint, and the schema of their body.
 * Source: wire contract areas 1.1, 1.2.2 and 1.5.1; D-376.
 */
import { Context, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

type Fields = Schema.Struct.Fields

export interface Upload<F extends Fields = Fields> {
  /** The limit of the part `file`, whose bytes are stored. */
  readonly fileBytesMax: number
  /** The text parts. Other parts are ignored. */
  readonly texts: Schema.Struct<F>
}

/** Name of the part whose bytes are stored. */
export const filePart = "file"

/** How many parts a request may have, and how many bytes each of its text parts. */
export const partsMax = 32
/** The most bytes of each text part of a request. */
export const textBytesMax = 8192

export const Upload = Context.Reference<Upload | undefined>("@countersign/adapter-http/Upload", {
  defaultValue: () => undefined,
})

/** The file in a request. The typed client takes a `Blob`, or a `File`, which has a name. */
const FilePart = (description: string) =>
  Schema.declare((value): value is Blob => value instanceof Blob, {
    representation: { id: "effect/http/PersistedFile", payload: null },
    description,
  })

/** The body of an upload: the file, and its texts. */
export const formOf = <F extends Fields>({ texts }: Upload<F>, file: string, identifier: string) =>
  Schema.Struct({ file: FilePart(file), ...texts.fields })
    .annotate({ identifier })
    .pipe(HttpApiSchema.asMultipartStream())
