/** One request that the sandbox keeps, with its answer. */
import type { ComponentChildren } from "preact"
import { AsTest } from "./AsTest.tsx"
import { CopyButton } from "./CopyButton.tsx"
import { curlText } from "./CurlText.ts"
import { count, dateTime, pathText } from "./Format.ts"
import { hashOf } from "./Hash.ts"
import { useLoaded } from "./Loaded.ts"
import { BodyText, HeaderLines } from "./Message.tsx"
import { RequestCommits } from "./RequestCommits.tsx"
import { callerOf, StatusBadge } from "./RequestParts.tsx"
import { RequestRules } from "./RequestRules.tsx"
import { SendAgain, WhyNotSendable } from "./SendAgain.tsx"
import type { KeptRequest } from "./Wire.ts"

type Body = NonNullable<KeptRequest["requestBody"]>

const BodyPart = ({ body }: { readonly body: Body | undefined }) => {
  if (body === undefined) return <p class="soft small">No body.</p>
  const { bytes, isCut, masked, text } = body
  return (
    <>
      {text === undefined ? (
        <p class="soft small">A body of {count(bytes)} bytes, which is not kept.</p>
      ) : (
        <BodyText text={text} />
      )}
      {isCut ? <p class="soft small">The beginning of {count(bytes)} bytes.</p> : null}
      {masked.length === 0 ? null : <p class="soft small">Masked: {masked.join(", ")}.</p>}
    </>
  )
}

const Headers = ({ headers, of }: { readonly headers: KeptRequest["requestHeaders"]; readonly of: string }) => (
  <details class="headers">
    <summary>Headers of the {of}</summary>
    <HeaderLines headers={headers} />
  </details>
)

const RequestActions = ({ request }: { readonly request: KeptRequest }) => {
  const curl = curlText(request)
  return (
    <>
      <AsTest id={request.id}>
        {request.notSendable === undefined ? <SendAgain request={request} /> : null}
        {curl === undefined ? null : <CopyButton label="Copy as curl" text={curl} />}
      </AsTest>
      <WhyNotSendable request={request} />
    </>
  )
}

const isId = (name: string): boolean => name.endsWith("id") || name === "Caller" || name === "Sent again from"

const Facts = ({ request }: { readonly request: KeptRequest }) => {
  const facts = [
    ["Operation", request.operation],
    ["Caller", [callerOf(request), request.caller.id].filter((part) => part !== undefined).join(", ")],
    ["Received", dateTime(request.receivedAt)],
    ["Business time", dateTime(request.at)],
    ["Duration", `${count(request.durationMillis)} ms`],
    ["Idempotency key", request.idempotencyKey ?? "none"],
    ["Request id", request.id],
    ...(request.sentAgainFrom === undefined
      ? []
      : [
          ["Sent again from", <a href={hashOf("requests", request.sentAgainFrom)}>{request.sentAgainFrom}</a>] as const,
        ]),
  ] as const satisfies ReadonlyArray<readonly [string, ComponentChildren]>
  return (
    <dl class="panel event-facts">
      {facts.flatMap(([name, value]) => [
        <dt key={`${name}-name`} class="soft">
          {name}
        </dt>,
        <dd key={name} class={isId(name) ? "id" : ""}>
          {value}
        </dd>,
      ])}
    </dl>
  )
}

export const RequestView = ({ id }: { readonly id: string }) => {
  const { problem, value: request } = useLoaded<KeptRequest>(`/sandbox/requests/${encodeURIComponent(id)}`, 0)
  return (
    <section aria-labelledby="request-title" class="request">
      <p class="small">
        <a href="#requests">All requests</a>
      </p>
      <h2 id="request-title" tabIndex={-1}>
        {request === undefined ? "Request" : `${request.method} ${pathText(request.path)}`}
      </h2>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {request === undefined ? (
        <p class="soft">{problem === undefined ? "Loading…" : ""}</p>
      ) : (
        <>
          <p class="row">
            <StatusBadge request={request} />
          </p>
          <Facts request={request} />
          <h3>Request</h3>
          <BodyPart body={request.requestBody} />
          <RequestActions request={request} />
          <Headers headers={request.requestHeaders} of="request" />
          <h3>Response</h3>
          <BodyPart body={request.responseBody} />
          <Headers headers={request.responseHeaders} of="response" />
          <RequestRules rules={request.rules} />
          <RequestCommits commits={request.commits} />
        </>
      )}
    </section>
  )
}
