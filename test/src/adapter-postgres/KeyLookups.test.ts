/** How the reads of many callers become one request, and how each gets its own answer. Source: `KeyLookups.ts`. */
import type { ReadQuery } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import { decodeAnswer, encodeRequest, type KeyLookup } from "../../../packages/adapter-postgres/src/read/KeyLookups.ts"
import { kindTable } from "../../../packages/adapter-postgres/src/schema/KindTables.ts"
import { encodeTemplate } from "../../../packages/adapter-postgres/src/schema/StoredTemplate.ts"
import { agentOf, alpha, alphaId, ann, beta, betaId, bob } from "../../../packages/test/src/conformance/Examples.ts"

const [customers, platforms] = [kindTable("Customer").number, kindTable("Platform").number]
const query = (own: ReadQuery, caller: Extract<KeyLookup, { _tag: "Query" }>["caller"] = alpha): KeyLookup => ({
  _tag: "Query",
  caller,
  query: own,
  wallNow: 77,
})
const request = (...lookups: ReadonlyArray<KeyLookup>): unknown => JSON.parse(encodeRequest(lookups))

describe("a request", () => {
  it("without lookups asks for no records", () => {
    expect(request()).toEqual({ records: [] })
    expect(request(query({}))).toEqual({ records: [] })
  })

  it("has the rows of each part with the number of their read and its tenant", () => {
    const agent = agentOf(ann)
    expect(
      request(
        query({ platform: false, counters: ["k"], replay: "key" }, beta),
        query(
          {
            records: [
              { kind: "Customer", id: ann },
              { kind: "Customer", id: bob },
            ],
            ownersOf: [{ kind: "InternalAccount", id: "InternalAccount:1" }],
            balances: ["a", "b"],
            counters: ["k", "l"],
            holder: "email",
            replay: "key",
            platform: true,
          },
          agent,
        ),
        { _tag: "Event", caller: agent, id: "Webhook:1" },
        { _tag: "Holder", key: "domain" },
        { _tag: "KeyHolder", key: "token" },
      ),
    ).toEqual({
      counters: [
        [0, betaId, "k"],
        [1, alphaId, "k"],
        [1, alphaId, "l"],
      ],
      replays: [
        [0, betaId, "key", 77],
        [1, alphaId, "key", 77],
      ],
      owners: [[1, alphaId, ann, "InternalAccount:1"]],
      balances: [
        [1, alphaId, ann, "a"],
        [1, alphaId, ann, "b"],
      ],
      holders: [
        [-2, "email"],
        [-4, "domain"],
      ],
      events: [[2, alphaId, ann, "Webhook:1"]],
      keys: [[4, "token"]],
      records: expect.arrayContaining([
        [
          String(customers),
          [
            [1, alphaId, ann, ann],
            [1, alphaId, ann, bob],
          ],
        ],
        [String(platforms), [[1, alphaId, null, alphaId]]],
      ]),
    })
  })
})

describe("an answer", () => {
  const empty = { ahead: 5, records: [], owners: [], keys: [], balances: [], counters: [], replays: [], events: [] }
  const answer = (parts: object, count = 2) => decodeAnswer(count, JSON.stringify({ ...empty, ...parts }))
  const nothing = {
    records: [],
    owners: new Map(),
    balances: new Map(),
    counters: new Map(),
    replay: undefined,
    holder: undefined,
    keyHolder: undefined,
    event: undefined,
    ahead: 5,
  }
  const row = (read: number, id: string) => [read, id, alphaId, null, 3, 10, 20, { name: id }]
  const stored = (kind: string, id: string) => ({
    kind,
    id,
    platformId: alphaId,
    customerId: null,
    version: 3,
    createdAt: 10,
    updatedAt: 20,
    data: { name: id },
  })

  it.each([null, undefined])("that is %j is a failure of the database", (text) => {
    expect(() => decodeAnswer(1, text)).toThrow(new TypeError("the database returned no row for a read"))
  })

  it("without rows has nothing for each read", () => {
    expect(answer({})).toEqual([nothing, nothing])
    expect(answer({}, 0)).toEqual([])
  })

  it("has the records of each read, apart from the holder of its key", () => {
    const records = [
      [customers, [row(1, ann), row(1, bob), row(-1, ann), row(9, bob)]],
      [platforms, [row(0, alphaId), row(-2, alphaId)]],
    ]
    expect(answer({ records })).toEqual([
      { ...nothing, records: [stored("Platform", alphaId)], holder: stored("Customer", ann) },
      {
        ...nothing,
        records: [stored("Customer", ann), stored("Customer", bob)],
        holder: stored("Platform", alphaId),
      },
    ])
  })

  it("has the owner of each account, the balances and the counters of each read", () => {
    expect(
      answer({
        owners: [
          [...row(1, ann), "InternalAccount:1"],
          [...row(9, ann), "InternalAccount:1"],
        ],
        balances: [
          [0, "a", 100, 7],
          [1, "a", -1, 8],
          [9, "a", 1, 1],
        ],
        counters: [
          [1, "k", 4],
          [9, "k", 4],
        ],
      }),
    ).toEqual([
      { ...nothing, balances: new Map([["a", { balance: 100, sequence: 7 }]]) },
      {
        ...nothing,
        owners: new Map([["InternalAccount:1", stored("Customer", ann)]]),
        balances: new Map([["a", { balance: -1, sequence: 8 }]]),
        counters: new Map([["k", 4]]),
      },
    ])
  })

  it("has the name of the holder of a key, and ignores a read that was not asked", () => {
    const keys = [
      [0, "Customer", ann, betaId],
      [2, "Customer", bob, betaId],
    ]
    expect(answer({ keys })).toEqual([
      { ...nothing, keyHolder: { kind: "Customer", id: ann, platformId: betaId } },
      nothing,
    ])
  })

  /** A template as it is stored. */
  const templateOf = (template: Parameters<typeof encodeTemplate>[0]): unknown => JSON.parse(encodeTemplate(template))
  const names = { balances: ["a"], counters: ["k"] }
  const facts = { balances: { a: { balance: 1, sequence: 2 } }, counters: { k: 3 } }

  it("has a stored response with the sums that it shows", () => {
    const placeholders = [{ path: ["n"], counter: "k" }]
    const replays = [
      [1, "f", 201, templateOf({ body: { n: null }, placeholders }), names, "1,2,3"],
      [0, "g", 204, templateOf({ body: null, placeholders: [] }), null, "1,2,3"],
      [7, "g", 204, templateOf({ body: null, placeholders: [] }), null, ""],
    ]
    const none = { balances: {}, counters: {} }
    expect(answer({ replays }).map(({ replay }) => replay)).toEqual([
      { fingerprint: "g", status: 204, answer: { body: null, placeholders: [] }, facts: none },
      { fingerprint: "f", status: 201, answer: { body: { n: null }, placeholders }, facts },
    ])
  })

  it("has an event with the sums that it shows", () => {
    const events = [
      [1, "Webhook:1", alphaId, ann, "TEST", "subject", templateOf({ body: 1, placeholders: [] }), 50, names, "1,2,3"],
      [7, "Webhook:2", alphaId, null, "TEST", "subject", templateOf({ body: 1, placeholders: [] }), 50, null, null],
    ]
    expect(answer({ events }).map(({ event }) => event)).toEqual([
      undefined,
      {
        id: "Webhook:1",
        type: "TEST",
        platformId: alphaId,
        customerId: ann,
        subject: "subject",
        data: { body: 1, placeholders: [] },
        createdAt: 50,
        facts,
      },
    ])
  })
})
