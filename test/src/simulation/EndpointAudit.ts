/**
 * The part of the auditor for webhooks: each attempt went where the endpoint was, signed by the keys of its time, and never through an open
 * circuit; every attempt of an event has the same body, and every event was acknowledged once at least.
 * Source: wire contract 6.2; D-329 to D-333, D-452.
 */
import type { EventResource } from "@countersign/core/models"
import { isReplaced } from "./AcceptedChange.ts"
import type { Answers } from "./Answers.ts"
import type { EndpointAnswers, EndpointChange } from "./EndpointAnswers.ts"
import type { SentWebhook } from "./Outside.ts"
import { keyNumbered } from "./WebhookPort.ts"
import { firstEndpoint, type Pay } from "./World.ts"

/** The changes that may be the last ones before this time, or that happened at it. */
const latestAt = (changes: ReadonlyArray<EndpointChange>, time: number) => {
  const before = changes.filter(({ at }) => at < time)
  return {
    before: before.filter((each) => !isReplaced(each, before)),
    now: changes.filter(({ at }) => at === time),
  }
}

const urlProblems = ({ changes }: EndpointAnswers, { id, sentAt, url }: SentWebhook): ReadonlyArray<string> => {
  const moves = changes.flatMap(({ to, ...times }) => (typeof to === "object" ? [{ to, ...times }] : []))
  const { before, now } = latestAt(moves, sentAt)
  const known = [...before, ...now].flatMap(({ to }) => (typeof to === "object" ? [to.url] : []))
  const isFirst = before.length === 0 && url === firstEndpoint
  return isFirst || known.includes(url) ? [] : [`${id} was sent to ${url}, which was not the endpoint`]
}

/** A disabled endpoint receives nothing, once the time at which it was disabled has passed. */
const stateProblems = ({ changes }: EndpointAnswers, { id, sentAt }: SentWebhook): ReadonlyArray<string> => {
  const { before, now } = latestAt(changes, sentAt)
  const isOff = before.length > 0 && before.every(({ to }) => to === "DISABLED")
  return isOff && now.length === 0 ? [`${id} was sent to a disabled endpoint`] : []
}

/** The numbers of the keys that sign at this time after the first rotations, newest first. */
const signingAfter = (rotations: ReadonlyArray<{ at: number; overlapMillis: number; number: number }>, time: number) =>
  [1, ...rotations.map(({ number }) => number)]
    .filter((_, index) => rotations.slice(index).every(({ at, overlapMillis }) => time < at + overlapMillis))
    .toReversed()

const signatureProblems = ({ rotations }: EndpointAnswers, sent: SentWebhook): ReadonlyArray<string> => {
  const { body, headers, id, sentAt, wallAt } = sent
  const known = [...rotations.values()].toSorted((a, b) => a.number - b.number).filter(({ at }) => at <= sentAt)
  const certain = known.filter(({ at }) => at < sentAt).length
  const allowed = Array.from({ length: known.length - certain + 1 }, (_, more) =>
    signingAfter(known.slice(0, certain + more), sentAt),
  )
  const timestamp = String(Math.floor(wallAt / 1000))
  const text = `${id}.${timestamp}.${body}`
  const isSigned = allowed.some((numbers) => {
    const keys = numbers.map(keyNumbered)
    const oldest = keys.at(-1)
    return (
      headers["X-Service-Signature"] === JSON.stringify({ v: "1", s: oldest?.sign(body) }) &&
      headers["X-Service-Key-Signatures"] === keys.map((key) => `${key.id},${key.sign(text)}`).join(" ") &&
      headers["webhook-signature"] === keys.map((key) => `v1,${key.authenticate(text)}`).join(" ")
    )
  })
  const isNamed = headers["webhook-id"] === id && headers["webhook-timestamp"] === timestamp
  return isSigned && isNamed
    ? []
    : [`${id} is not signed by the keys ${allowed.map((each) => each.join("+")).join(" or ")}`]
}

/** Tests and questions are sent once, and through an open circuit as well. */
const isOnce = (type: string): boolean => type === "TEST" || type === "INCOMING_PAYMENT.PENDING"

/** Whether it may be sent through an open circuit: also what an operator asks for. */
const isUrgent = ({ resent, unsent }: EndpointAnswers, { id, type }: SentWebhook): boolean =>
  isOnce(type) || resent.has(id) || unsent.has(id)

const circuitProblems = (known: EndpointAnswers, all: ReadonlyArray<SentWebhook>): ReadonlyArray<string> =>
  known.openCircuits.flatMap(({ at, until }) => {
    const isReset = ({ sentAt }: SentWebhook) =>
      known.changes.some((change) => change.at >= at && change.at <= sentAt && change.to !== "DISABLED")
    const after = all.filter(({ sentAt }) => sentAt >= at)
    const closed = after.findIndex(({ isAcknowledged }) => isAcknowledged)
    return after
      .filter((sent, index) => (closed < 0 || index <= closed) && sent.sentAt > at && sent.wallAt < until)
      .filter((sent) => !isUrgent(known, sent) && !isReset(sent))
      .map(({ id }) => `${id} was sent while the circuit was open`)
  })

interface EventsSeen {
  readonly events: ReadonlyArray<EventResource>
  /** The events that were delivered before the run. */
  readonly known: ReadonlySet<string>
  /** The events of which a repetition met a defect: it is tried once. */
  readonly parked: ReadonlySet<string>
}

const eventProblems = (
  answers: Answers,
  all: ReadonlyArray<SentWebhook>,
  { events, parked }: Pick<EventsSeen, "events" | "parked">,
): ReadonlyArray<string> => {
  const { changes, resent } = answers.endpoint
  const byEvent = Map.groupBy(all, ({ id }) => id)
  return [
    ...[...byEvent].flatMap(([id, sent]) =>
      new Set(sent.map(({ body }) => body)).size === 1 ? [] : [`${id} was sent with different bodies`],
    ),
    ...events.flatMap(({ id, type }) => {
      const sent = byEvent.get(id) ?? []
      if (isOnce(type)) return []
      if (!sent.some(({ isAcknowledged }) => isAcknowledged)) return [`${id} was never acknowledged`]
      const due = 1 + (resent.get(id) ?? 0)
      return changes.length === 0 && !parked.has(id) && sent.length < due
        ? [`${id} was sent ${sent.length} times, and should be ${due} times`]
        : []
    }),
  ]
}

export const endpointProblems = (
  pay: Pay,
  answers: Answers,
  { events, known, parked }: EventsSeen,
): ReadonlyArray<string> => {
  const { endpoint } = answers
  const all = pay.outside.webhooks()
  const listed = new Set(events.map(({ id }) => id))
  const own = events.filter(({ id }) => !known.has(id))
  return [
    ...all.flatMap((sent) => urlProblems(endpoint, sent)),
    ...all.flatMap((sent) => stateProblems(endpoint, sent)),
    ...all.flatMap((sent) => signatureProblems(endpoint, sent)),
    ...all
      .filter(({ id, type }) => type !== "TEST" && !listed.has(id))
      .map(({ id }) => `${id} was sent and is not listed`),
    ...circuitProblems(endpoint, all),
    ...eventProblems(answers, all, { events: own, parked }),
  ]
}
