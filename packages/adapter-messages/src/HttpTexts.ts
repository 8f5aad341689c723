/**
 * `TextGateway` by a POST request for each message. Redirects are refused: their target would get the credentials.
 * Source: D-528.
 */
import { randomUUID } from "node:crypto"
import { boundedBytes, type PortCheck, withPortChecks } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { isPhoneNumber } from "./Addresses.ts"
import { type BodyValues, bodyOf, type GatewayOptions, problemOf } from "./GatewayOptions.ts"
import { type FailureReason, MessageFailure, MessagesUnusable } from "./MessageFailure.ts"
import { isCertificateCode } from "./SmtpFailures.ts"
import { TextGateway } from "./TextGateway.ts"
import { deadlineMillisDefault, withinDeadline } from "./WithinDeadline.ts"

const answerBytesMax = 65_536
const acceptedDefault: ReadonlyArray<number> = [200, 201, 202, 204]

const failed = (reason: FailureReason, status?: number) =>
  new MessageFailure({ channel: "sms", reason, ...(status === undefined ? {} : { status }) })

const reasonOfStatus = (status: number): FailureReason => {
  if (status === 401 || status === 403) return "credentials"
  if (status === 429 || status === 503) return "busy"
  return status === 408 || status >= 500 ? "unknown" : "refused"
}

/** Codes of a connection that has never existed, so that nothing was sent over it. */
const notConnected = /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/u

const reasonOfError = (error: unknown): FailureReason => {
  const inner: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = typeof inner === "object" && inner !== null && "code" in inner ? String(inner.code) : ""
  if (isCertificateCode(code)) return "certificate"
  return notConnected.test(code) ? "unreachable" : "unknown"
}

/** The text of an answer, or `undefined` if it is larger than any answer of a gateway. */
const textOf = async ({ body }: Response): Promise<string | undefined> => {
  const bytes = await boundedBytes(body, answerBytesMax)
  return bytes && Buffer.from(bytes).toString()
}

const request = async (options: GatewayOptions, values: BodyValues, signal: AbortSignal): Promise<void> => {
  const {
    acceptedStatuses = acceptedDefault,
    headers = {},
    idempotencyHeader,
    isAccepted,
    recipientStatuses = [],
  } = options
  const { text, type } = bodyOf(options, values)
  const sent = new Headers({ "content-type": type })
  for (const [name, value] of Object.entries(headers))
    sent.set(name, Redacted.isRedacted(value) ? String(Redacted.value(value)) : value)
  if (idempotencyHeader !== undefined) sent.set(idempotencyHeader, values.id)
  const response = await fetch(options.url, { method: "POST", headers: sent, body: text, redirect: "manual", signal })
  const { status } = response
  const isRead = acceptedStatuses.includes(status) && isAccepted !== undefined
  const answer = isRead ? await textOf(response) : undefined
  if (!isRead) await response.body?.cancel()
  if (recipientStatuses.includes(status)) throw failed("recipient", status)
  if (!acceptedStatuses.includes(status)) throw failed(reasonOfStatus(status), status)
  if (isAccepted === undefined) return
  if (answer === undefined) throw failed("unknown", status)
  if (!isAccepted(answer)) throw failed("refused", status)
}

/** Asks without credentials, so that nothing can be sent: any answer shows that the gateway is reached, and its certificate trusted. */
const checkOf = ({ timeoutMillis = 5000, url }: GatewayOptions): PortCheck => ({
  name: "text gateway",
  run: Effect.promise((signal) =>
    fetch(url, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)]),
    }).then(
      () => ({ status: "ok", text: "the gateway for text messages is reached" }) as const,
      (error: unknown) =>
        ({
          status: "problem",
          text: `the gateway for text messages is not reached: ${reasonOfError(error)}`,
          fix: "correct its address, or the way to it",
        }) as const,
    ),
  ),
})

const layer = (options: GatewayOptions): Layer.Layer<TextGateway, MessagesUnusable> =>
  Layer.effect(
    TextGateway,
    Effect.suspend(() => {
      const message = problemOf(options)
      if (message !== undefined) return Effect.fail(new MessagesUnusable({ message }))
      const { deadlineMillis = deadlineMillisDefault, idempotencyHeader, timeoutMillis = 5000 } = options
      const repeated = withinDeadline(
        "sms",
        deadlineMillis,
        ({ reason }) => reason !== "unknown" || idempotencyHeader !== undefined,
      )
      const attempt = (values: BodyValues) =>
        Effect.tryPromise({
          try: (signal) => request(options, values, AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)])),
          catch: (error) => (error instanceof MessageFailure ? error : failed(reasonOfError(error))),
        })
      const gateway: TextGateway["Service"] = {
        send: ({ text, to }) =>
          isPhoneNumber(to)
            ? Effect.suspend(() => repeated(attempt({ to, text, id: randomUUID() })))
            : Effect.fail(failed("recipient")),
      }
      return Effect.succeed(withPortChecks(gateway, [checkOf(options)]))
    }),
  )

/** For a deployment without text messages. */
const layerNone: Layer.Layer<TextGateway> = Layer.sync(TextGateway, () =>
  withPortChecks<TextGateway["Service"]>({ send: () => Effect.fail(failed("misconfigured")) }, [
    {
      name: "text gateway",
      run: Effect.succeed({
        status: "warning",
        text: "none is configured: a code by text message fails with 500",
        fix: "configure one, or offer contacts by e-mail only",
      }),
    },
  ]),
)

export const HttpTexts = { layer, layerNone }
