/**
 * The operations of `DocumentVault`: files in pieces, so that neither side holds a whole one. A piece is signed with its request or answer.
 * Source: ports/DocumentVault.ts; D-375, D-536.
 */
import { Schema } from "effect"
import { outcome, result, Text } from "./Parts.ts"
import { withoutUnknown } from "./PortOperation.ts"

/** The most bytes of a piece. */
export const pieceBytesMax = 256 * 1024

const Key = Text.check(Schema.isPattern(/^[\w-]{1,128}$/u)).annotate({
  description: "The service draws it, and uses it for one file only.",
})

const Position = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "In bytes." })

const Sha256 = Text.check(Schema.isPattern(/^[0-9a-f]{64}$/u)).annotate({ description: "Of the bytes, in hex." })

const Piece = Schema.Uint8ArrayFromBase64

const Read = Schema.Union([
  outcome("Bytes", { size: Position.annotate({ description: "Of the whole file, in bytes." }), content: Piece }),
  outcome("Missing", {}),
]).annotate({ identifier: "ReadBytes" })

const Completed = Schema.Union([outcome("Stored", {}), outcome("Refused", {})]).annotate({
  identifier: "CompletedFile",
})

export const documentVaultOperations = {
  append: withoutUnknown({
    path: "/document-vault/append",
    summary:
      "Stores a piece of a file that is not complete, and returns how many bytes it has. Pieces come in order, at most 256 KiB each.",
    request: Schema.Struct({ key: Key, position: Position, content: Piece }),
    answer: result(Position),
    repetition: "key",
    deadline: "ask",
  }),
  complete: withoutUnknown({
    path: "/document-vault/complete",
    summary:
      "Completes a file: `Stored` if it has these bytes and a crash cannot lose them. From now on it can be read.",
    request: Schema.Struct({ key: Key, size: Position, sha256: Sha256 }),
    answer: Completed,
    repetition: "key",
    deadline: "instruct",
  }),
  read: withoutUnknown({
    path: "/document-vault/read",
    summary: "Returns bytes of a complete file from a position on, at most `length`, and none from its end on.",
    request: Schema.Struct({ key: Key, position: Position, length: Position }),
    answer: Read,
    repetition: "key",
    deadline: "ask",
    carriesBytes: true,
  }),
  erase: withoutUnknown({
    path: "/document-vault/erase",
    summary: "Erases what the vault has of a file, complete or not, and takes no more of it.",
    request: Schema.Struct({ key: Key }),
    answer: Schema.Struct({}),
    repetition: "key",
    deadline: "ask",
  }),
}
