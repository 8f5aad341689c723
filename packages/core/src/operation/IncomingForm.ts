/**
 * A form that a client is sending: its file is handed on while it arrives, and its texts are known when it has ended, because the parts
 * come in any order.
 * Source: wire contract areas 1.1 (digests of parts), 1.2.2 (parts); D-376.
 */
import type { Effect, Result, Stream } from "effect"
import type { FieldProblem } from "../foundation/errors/FieldProblems.ts"
import type { ServiceError } from "../foundation/errors/ServiceError.ts"

/** The bytes of a file as they arrive. It fails if they stop arriving, or exceed the limit. */
export type FileBytes = Stream.Stream<Uint8Array, ServiceError>

/** Name, file name and SHA-256 of one part: two requests with equal digests are the same request. */
export type PartDigest = readonly [name: string, fileName: string | null, sha256: string]

/** A form whose last byte has arrived. */
export interface ReceivedForm<T, A> {
  /** The texts, the first part of each known name, or every problem that they have. */
  readonly texts: Result.Result<T, ReadonlyArray<FieldProblem>>
  /** The first file, under the name that its sender gave it, and what the receiver made of it. */
  readonly file?: { readonly name?: string; readonly received: A }
  /** All parts, those of one name in the order in which they came. */
  readonly parts: ReadonlyArray<PartDigest>
}

/** Receives the form. `receive` gets the file's bytes, and need not take them all. */
export type IncomingForm<T> = <A, E, R>(
  receive: (bytes: FileBytes) => Effect.Effect<A, E, R>,
) => Effect.Effect<ReceivedForm<T, A>, E | ServiceError, R>
