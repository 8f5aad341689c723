/**
 * Why a request to the bucket failed. It has the status and the code of the answer and nothing else of it: the messages of a service
 * repeat the access key and the signature.
 * Source: D-420.
 */
import { Data } from "effect"

export class S3Failure extends Data.TaggedError("S3Failure")<{
  /** The method of the request. */
  readonly method: string
  /** The status of the answer, if there was one. */
  readonly status?: number
  /** The code of the service, such as `SlowDown`, or of the connection, such as `ECONNRESET`. */
  readonly code?: string
}> {
  override get message(): string {
    const { code = "no code", method, status } = this
    return status === undefined
      ? `${method} was not answered: ${code}`
      : `${method} was answered with ${status}: ${code}`
  }
}

const transientStatuses: ReadonlyArray<number> = [408, 429, 500, 502, 503, 504]

/** Whether the same request may succeed later. */
export const isTransient = ({ code, status }: S3Failure): boolean =>
  status === undefined || transientStatuses.includes(status) || code === "RequestTimeout" || code === "InternalError"

const codePattern = /^[A-Za-z][\w.-]{0,60}$/u

/** The code of a failed connection. Messages are left out. */
export const connectionCode = (error: unknown): string => {
  const inner = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = typeof inner === "object" && inner !== null && "code" in inner ? String(inner.code) : ""
  if (codePattern.test(code)) return code
  return inner instanceof Error ? inner.name : "unknown"
}

/** The code of an error document. */
export const codeOf = (document: string): string | undefined => {
  const [, code = ""] = /<Error>.*?<Code>([^<]*)<\/Code>/su.exec(document) ?? []
  return codePattern.test(code) ? code : undefined
}
