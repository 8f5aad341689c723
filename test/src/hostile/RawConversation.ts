/** Random conversations of one client with a raw listener: valid and broken requests, cut and delayed anywhere, with a rude end. */
import * as fc from "fast-check"
import { basic } from "../wire/FakeService.ts"

/** What a client does with its connection. */
export type Step =
  | { readonly _tag: "Send"; readonly bytes: string }
  /** Waits for this number of turns of the event loop. */
  | { readonly _tag: "Wait"; readonly turns: number }
  | { readonly _tag: "StopReading" }
  | { readonly _tag: "HalfClose" }
  | { readonly _tag: "Reset" }

const authorization = `Authorization: ${basic()}\r\n`
const post = `POST /2025-10-13/customers HTTP/1.1\r\nHost: a\r\n${authorization}Content-Type: application/json\r\n`

/** Requests that the service answers, and the beginnings of attacks. */
const corpus = [
  "GET /counted HTTP/1.1\r\nHost: a\r\n\r\n",
  "HEAD /docs HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n",
  "GET /openapi.json HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n",
  `GET /2025-10-13/customers?limit=2 HTTP/1.1\r\nHost: a\r\n${authorization}\r\n`,
  `${post}Content-Length: 29\r\n\r\n{"customerType":"INDIVIDUAL"}`,
  `${post}Transfer-Encoding: chunked\r\n\r\n4;x=y\r\n{"a"\r\n3\r\n:1}\r\n0\r\nT: u\r\n\r\n`,
  `${post}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${post}Content-Length: 100000\r\n\r\n{`,
  "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET http://a/large HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  "DELETE /2025-10-13/agents/x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
]

const fragments = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  " ",
  ":",
  "0\r\n\r\n",
  "Host: b\r\n",
  "Content-Length: 1\r\n",
  "\xff",
  "GET ",
  "ffffffff\r\n",
]

/** Cuts a text at a place and puts something between, or drops what follows. */
const broken = fc
  .record({
    text: fc.constantFrom(...corpus),
    at: fc.nat(400),
    dropped: fc.nat({ max: 3 }),
    added: fc.oneof(fc.constantFrom("", ...fragments, ...corpus), fc.string({ unit: "binary", maxLength: 8 })),
  })
  .map(({ added, at, dropped, text }) => {
    const place = at % text.length
    return text.slice(0, place) + added + text.slice(place + dropped)
  })

const flood = fc
  .record({ text: fc.constantFrom(...corpus), times: fc.integer({ min: 2, max: 300 }) })
  .map(({ text, times }) => text.repeat(times))

const send = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...corpus) },
  { weight: 6, arbitrary: broken },
  { weight: 1, arbitrary: flood },
)

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: send.map((bytes) => ({ _tag: "Send", bytes }) as const) },
  { weight: 3, arbitrary: fc.nat({ max: 5 }).map((turns) => ({ _tag: "Wait", turns }) as const) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ _tag: "StopReading" }, { _tag: "HalfClose" }, { _tag: "Reset" }) },
)

export const conversation: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(steps, { minLength: 1, maxLength: 6 })
