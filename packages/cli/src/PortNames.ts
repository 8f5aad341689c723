/** The ports that a server can answer over HTTP, as `--ports-of` names them. Source: D-527. */

/** Live mode needs each of them. */
export const requiredPorts = [
  "rails",
  "exchange-rates",
  "verifier",
  "security-codes",
  "sca-provider",
  "otp-sender",
] as const

/** The required ones first. */
export const answerablePorts = [...requiredPorts, "issuer", "funding-instructions", "bank-directory"] as const

export type AnswerablePort = (typeof answerablePorts)[number]

export const isAnswerable = (name: string): name is AnswerablePort => answerablePorts.some((port) => port === name)

/** The ports of `--ports-of`; without the option, the required ones. */
export const portsAnswered = (portsOf: ReadonlyArray<string>): ReadonlyArray<AnswerablePort> =>
  portsOf.length === 0 ? requiredPorts : portsOf.filter(isAnswerable)
