/**
 * The class of an error of the mail client. Its message is left out: servers quote the recipient and what they refuse.
 * Source: RFC 5321, 4.2 (reply codes); RFC 3463 (enhanced codes); D-528.
 */
import { type FailureReason, MessageFailure } from "./MessageFailure.ts"

const textOf = (error: object, name: string): string => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === "string" ? value : ""
}

/** Codes of Node for a certificate that is not valid for the server. */
export const isCertificateCode = (code: string): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY|DECODE|DECRYPT)|HOSTNAME_MISMATCH|ALTNAME/u.test(code)

/** `5.7.1` and the like are about policy, and not about the recipient. */
const isPolicy = (response: string): boolean => /^\d{3}[ -]5\.7\./u.test(response)

const reasonOfReply = (status: number, command: string, response: string): FailureReason => {
  if (status < 500) return "busy"
  return command === "RCPT TO" && !isPolicy(response) ? "recipient" : "refused"
}

/** `hasBegun`: whether the text of the message was being sent. */
export const smtpFailure = (error: unknown, hasBegun: boolean): MessageFailure => {
  const failure = (reason: FailureReason, status?: number) =>
    new MessageFailure({ channel: "email", reason, ...(status === undefined ? {} : { status }) })
  if (typeof error !== "object" || error === null) return failure("unreachable")
  const [code, command, original] = [textOf(error, "code"), textOf(error, "command"), textOf(error, "originalCode")]
  const replied: unknown = Reflect.get(error, "responseCode")
  const status = typeof replied === "number" && replied >= 400 && replied < 600 ? replied : undefined
  if (code === "EAUTH")
    return status !== undefined && status < 500 ? failure("busy", status) : failure("credentials", status)
  if (status !== undefined) return failure(reasonOfReply(status, command, textOf(error, "response")), status)
  if (isCertificateCode(original) || isCertificateCode(code) || code === "ETLS") return failure("certificate")
  if (code === "EENVELOPE" || code === "EMESSAGE") return failure("refused")
  if (hasBegun) return failure("unknown")
  return failure(code === "ETIMEDOUT" ? "slow" : "unreachable")
}
