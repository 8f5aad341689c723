/**
 * The callers that a request must be refused for, and how, by its row.
 * Source: wire contract 1.1, 1.5, 9 and 11 (10, 30, 31, 32); wire contract areas 1.1, 1.4.5; D-352, D-462.
 */
import { basic, bearer, type Callers, type Signature } from "./Callers.ts"
import { type Permission, permissions, type Row } from "./Row.ts"

/** What a stranger's request proves. */
export type Claim = "credentials" | "permission" | "tenant" | "console"

export interface Stranger {
  readonly claim: Claim
  readonly who: string
  readonly headers: Signature
  /** Whether the request is sent to the address of the console, whose page sends cookies. */
  readonly isOnConsole?: boolean
  readonly expected: ReadonlyArray<number>
  /** Whether the answer must show no record that the owner's answer shows. */
  readonly isBlind?: boolean
}

/** Without credentials, and with unknown ones of the operation's kind; `http/TenantIsolation.test.ts` has more kinds. */
const unknown = (headers: Signature): ReadonlyArray<Stranger> =>
  [
    { who: "a caller without credentials", headers: {} },
    { who: "an unknown caller", headers },
  ].map((one) => ({ claim: "credentials", expected: [401], ...one }))

const isGet = ({ method }: Row) => method === "GET"

/** The permissions that a row needs, all of them. */
const neededOf = ({ needs }: Row): ReadonlyArray<Permission> =>
  needs === "ALL" ? permissions : permissions.filter((each) => each === needs)

/** What another owner gets for a request that names no record in its path. */
const ofAnother = (row: Row): Pick<Stranger, "expected" | "isBlind"> | undefined => {
  if (row.scope === "names") {
    return isGet(row) ? { expected: [200, 400, 404], isBlind: true } : { expected: [400, 403, 404] }
  }
  if (row.scope === "lists" && isGet(row)) return { expected: [200], isBlind: true }
  // A list that is written to is the caller's own; what is the same for all is not confined.
  return undefined
}

const ofPlatform = (row: Row, callers: Callers): ReadonlyArray<Stranger> => {
  const { agent, allBut, full, other } = callers
  const lacking = neededOf(row).flatMap(
    (needed): ReadonlyArray<Stranger> => [
      {
        claim: "permission",
        who: `a token with everything but ${needed}`,
        headers: allBut[needed].headers,
        expected: [403],
      },
      ...(row.isForConsole
        ? [
            {
              claim: "console" as const,
              who: `a person on the console whose token lacks ${needed}`,
              headers: allBut[needed].cookie,
              isOnConsole: true,
              expected: [403],
            },
          ]
        : []),
    ],
  )
  const elsewhere =
    row.scope === "own" ? { expected: [404] } : row.scope === "creator" ? { expected: [403] } : ofAnother(row)
  return [
    ...unknown(basic("nobody", "secret_test")),
    { claim: "credentials", who: "an agent", headers: bearer(agent), expected: [401] },
    ...lacking,
    ...(row.isForConsole
      ? []
      : [
          {
            claim: "console" as const,
            who: "a person on the console",
            headers: full.cookie,
            isOnConsole: true,
            expected: [401],
          },
        ]),
    ...(other === undefined || elsewhere === undefined
      ? []
      : [{ claim: "tenant" as const, who: "another platform", headers: other.headers, ...elsewhere }]),
  ]
}

const ofAgent = (row: Row, callers: Callers): ReadonlyArray<Stranger> => {
  const { full, neighbour, other, sibling } = callers
  const isNamed = row.scope === "customer" || row.scope === "agent"
  const elsewhere = isNamed ? { expected: [404] } : ofAnother(row)
  const others: ReadonlyArray<readonly [who: string, headers: Signature]> = [
    ["an agent of another customer", bearer(neighbour)],
    ...(other === undefined ? [] : [["an agent of another platform", bearer(other.agent)] as const]),
    ...(row.scope === "agent" ? [["another agent of the same customer", bearer(sibling)] as const] : []),
  ]
  return [
    ...unknown(bearer({ token: `gat_${"0".repeat(40)}` })),
    { claim: "credentials", who: "the platform", headers: full.headers, expected: [401] },
    { claim: "console", who: "a person on the console", headers: full.cookie, isOnConsole: true, expected: [401] },
    ...(elsewhere === undefined
      ? []
      : others.map(([who, headers]): Stranger => ({ claim: "tenant", who, headers, ...elsewhere }))),
  ]
}

/** Everyone who is refused, or sees nothing of the owner. An operation that needs no credentials refuses nobody. */
export const strangersOf = (row: Row, callers: Callers): ReadonlyArray<Stranger> => {
  if (row.caller === "nobody") return []
  return row.caller === "platform" ? ofPlatform(row, callers) : ofAgent(row, callers)
}
