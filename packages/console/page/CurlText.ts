/**
 * A kept request as a command of curl: with the credentials of the shell, and with placeholders where the sandbox has masked a secret.
 * Source: D-464.
 */
import { baseAddress } from "./Api.ts"
import type { KeptRequest } from "./Wire.ts"

/** One word of a POSIX shell, whatever it contains. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Headers that curl sets itself, or that belong to the connection. */
const own = /^(?:accept|accept-language|content-length|origin|user-agent)$/u

const credentialsOf = ({ caller: { kind } }: KeptRequest): ReadonlyArray<string> => {
  if (kind === "NOBODY") return []
  return kind === "AGENT"
    ? [`--header "Authorization: Bearer $COUNTERSIGN_AGENT_TOKEN"`]
    : [`--user "$COUNTERSIGN_CLIENT_ID:$COUNTERSIGN_CLIENT_SECRET"`]
}

/** `undefined`: the body is not kept as a whole. */
export const curlText = (request: KeptRequest): string | undefined => {
  const { method, path, requestBody, requestHeaders } = request
  if (requestBody !== undefined && (requestBody.text === undefined || requestBody.isCut)) return undefined
  return [
    `curl --request ${method} ${quoted(`${baseAddress()}${path}`)}`,
    ...credentialsOf(request),
    ...Object.entries(requestHeaders)
      .filter(([name]) => !own.test(name))
      .map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(requestBody?.text === undefined ? [] : [`--data-raw ${quoted(requestBody.text)}`]),
  ].join(" \\\n  ")
}
