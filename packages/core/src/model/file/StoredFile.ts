/**
 * An uploaded file: where its bytes are in their life. The bytes themselves are in the document vault, under a key made of the id.
 * Source: wire contract areas 1.2.8; D-375, D-377.
 */
import { Schema } from "effect"
import { FileMachine } from "./FileMachine.ts"

export const StoredFile = Schema.Struct({ status: Schema.Literals(FileMachine.states) })
export type StoredFile = typeof StoredFile.Type

/** Business time (ms) after which a file that no record keeps is erased. */
export const sweepMillis = 60 * 60 * 1000

/** Time (ms) that the bytes of a file may take: none arrive after its sweep, unless a sandbox moves its clock meanwhile. */
export const receiveMillisMax = 50 * 60 * 1000

/** The key of a file's bytes in the vault. */
export const vaultKeyOf = (fileId: string): string => fileId.replace(":", "-")
