/**
 * The text that a signature of the contract covers. It names the direction, so that no message can be sent back as one of the other side.
 * Source: D-527.
 */
import { createHash } from "node:crypto"

/** `request` and `answer`: the service calls the bank. `report` and `receipt`: the bank calls the service. */
export type Direction = "request" | "answer" | "report" | "receipt"

export interface Signable {
  readonly direction: Direction
  /** `POST`, or the status of an answer or receipt. */
  readonly methodOrStatus: string
  /** The path of the request as it is sent, without host and query. */
  readonly path: string
  /** Unix seconds of the request, as text. An answer has that of its request. */
  readonly timestamp: string
  /** The id of the request. An answer has that of its request. */
  readonly id: string
  readonly body: Uint8Array
}

/** Returns seven lines, joined by line feeds. The last one is SHA-256 of the body in hex. */
export const signedText = ({ body, direction, id, methodOrStatus, path, timestamp }: Signable): string =>
  ["v1", direction, methodOrStatus, path, timestamp, id, createHash("sha256").update(body).digest("hex")].join("\n")
