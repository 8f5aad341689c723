/**
 * Where a bank answers, and what is agreed with it.
 * Source: D-527.
 */
import type { DeadlineClass } from "../contract/PortOperation.ts"
import type { PortSecrets } from "../signing/Signatures.ts"

export interface PortOptions {
  /** The address below which the bank answers, such as `https://bank.example.com/ports`. */
  readonly url: string
  /** The newest first. */
  readonly secrets: PortSecrets
  /** How long an answer is waited for (ms). Default: 10 seconds while a client waits (`ask`), 30 seconds in jobs (`instruct`). */
  readonly deadlines?: { readonly [Class in DeadlineClass]?: number }
  /** The largest answer, in bytes. Default: 1 MiB. */
  readonly answerBytesMax?: number
  /** Connections at a time. Default: 64. */
  readonly connectionsMax?: number
}

export const answerBytesDefault = 1024 * 1024
export const connectionsDefault = 64
