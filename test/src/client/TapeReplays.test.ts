/** What a replay sends for each call of a tape, and which answers it reports. Source: D-449. */
import { describe, expect, it } from "vitest"
import { replay } from "../../../packages/client/src/tape/Replay.ts"
import type { Json, TapeCall } from "../../../packages/client/src/tape/Tape.ts"
import { jsonOf } from "../../../packages/client/src/webhook/WebhookBody.ts"

const call = (more: Partial<TapeCall> = {}): TapeCall => ({
  _tag: "Call",
  as: "platform",
  method: "POST",
  path: "/agents",
  headers: {},
  answer: { status: 200, body: { id: "agent1", secret: "s3cret" } },
  ...more,
})

/** Replays the calls after one whose answer is known, and returns what is sent. */
const played = async (
  calls: ReadonlyArray<TapeCall>,
  answers: ReadonlyArray<{ readonly status: number; readonly body?: Json }> = [],
) => {
  const sent: Array<object> = []
  const differences = await replay(
    { format: "countersign tape 1", steps: [call(), ...calls] },
    {
      advance: () => Promise.resolve(),
      send: (request) => {
        sent.push(request)
        return Promise.resolve(answers[sent.length - 2] ?? { status: 200, body: { id: "agent2", secret: "s3cret" } })
      },
    },
    { variables: { AUTHORIZATION_1: "Bearer given" } },
  )
  return { differences, sent: sent.slice(1) }
}

const unknown = { status: 200, isBodyUnknown: true } as const

describe("a replayed call", () => {
  it.each<readonly [TapeCall["as"], object]>([
    ["platform", { as: "platform", headers: {} }],
    ["nobody", { as: "nobody", headers: {} }],
    [{ token: "{{0:secret}}" }, { as: { token: "s3cret" }, headers: {} }],
    [
      { clientId: "{{0:id}}", clientSecret: "{{0:secret}}" },
      { as: "nobody", headers: { authorization: `Basic ${Buffer.from("agent2:s3cret").toString("base64")}` } },
    ],
    [{ variable: "AUTHORIZATION_1" }, { as: "nobody", headers: { authorization: "Bearer given" } }],
  ])("as %j has the credentials of this run", async (as, expected) => {
    expect((await played([call({ as, answer: unknown })])).sent).toMatchObject([expected])
  })

  it("has the values of this run in its path, escaped, its headers and its body", async () => {
    const { sent } = await played([
      call({
        path: "/agents/{{0:id}}/x?a={{0:secret}}",
        headers: { "x-id": "{{0:id}}" },
        body: { list: ["{{0:id}}", 1, null] },
        answer: unknown,
        isOutside: true,
      }),
    ])
    expect(sent).toEqual([
      {
        as: "platform",
        method: "POST",
        path: "/agents/agent2/x?a=s3cret",
        isOutside: true,
        headers: { "x-id": "agent2" },
        body: { list: ["agent2", 1, null] },
      },
    ])
  })

  it("has the values of this run in the texts of a form, and files as they were", async () => {
    const file = { name: "file", fileName: "{{0:id}}.pdf", type: "application/pdf", base64: "e3swOmlkfX0=" }
    const { sent } = await played([call({ form: [{ name: "id", value: "{{0:id}}" }, file], answer: unknown })])
    expect(sent).toMatchObject([{ form: [{ name: "id", value: "agent2" }, file] }])
    expect((await played([call({ text: "id={{0:id}}", answer: unknown })])).sent).toMatchObject([{ body: "id=agent2" }])
  })

  it("reports another status alone, and of a body that is unknown nothing else", async () => {
    const recorded = { status: 201, body: { a: "x" } }
    const differencesOf = async (answer: TapeCall["answer"], status: number, body: Json) =>
      (await played([call({ answer })], [{ status, body }])).differences
    expect(await differencesOf(recorded, 200, { a: "y" })).toEqual([
      { step: 1, at: "status", recorded: 201, played: 200 },
    ])
    expect(await differencesOf(recorded, 201, { a: "y" })).toEqual([{ step: 1, at: "a", recorded: "x", played: "y" }])
    expect(await differencesOf({ status: 201, isBodyUnknown: true }, 201, { a: "y" })).toEqual([])
    expect(await differencesOf({ status: 201, isBodyUnknown: true }, 202, null)).toHaveLength(1)
  })
})

describe("the body of a webhook", () => {
  it("is an object of JSON in UTF-8", () => {
    expect(jsonOf('{"a":1}')).toEqual({ a: 1 })
    expect(jsonOf(Buffer.from('{"a":"é"}'))).toEqual({ a: "é" })
    expect(jsonOf(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined()
    expect(jsonOf("{")).toBeUndefined()
  })
})
