/** Runs that are corrupted for the auditor: it must find each problem in one of a few seeds. */
import type { Reply, Send } from "@countersign/test"
import { expect } from "vitest"
import type { Body } from "./Answers.ts"
import type { Area } from "./Clients.ts"
import { foundBefore, rememberFound } from "./FoundBefore.ts"
import type { Outside, ReceivedInstruction } from "./Outside.ts"
import { simulate, type Variation } from "./Simulation.ts"
import type { Pay } from "./World.ts"

/** Every run of a problem that is found ends the search: a seed too many costs nothing, and a change of the actions shifts what each seed has. */
const seedsMax = 250
const allSeeds = Array.from({ length: seedsMax }, (_, index) => index + 1)

/** Seeds whose runs together contain nearly every action. */
export const rich = [
  49, 119, 79, 57, 94, 75, 110, 114, 104, 22, 116, 39, 78, 120, 27, 53, 112, 8, 62, 86, 111, 102, 68, 81, 16,
]

type Finds = (change: (pay: Pay) => void, ...wanted: ReadonlyArray<RegExp>) => Promise<void>

const findsAmong =
  (seeds: ReadonlyArray<number>, variation: Pick<Variation, "areas">): Finds =>
  async (change, ...wanted) => {
    const foundBy = new Map<RegExp, number>()
    let found = ""
    for (const seed of new Set([...foundBefore(wanted), ...seeds])) {
      const problems = (await simulate(seed, { ...variation, change })).problems.join("\n")
      found += `${problems}\n`
      for (const one of wanted) if (!foundBy.has(one) && one.test(problems)) foundBy.set(one, seed)
      if (foundBy.size === wanted.length) return rememberFound(wanted, [...new Set(foundBy.values())])
    }
    for (const one of wanted) expect(found).toMatch(one)
  }

/** Expects the auditor to report these problems for one of the runs after this change. */
export const finds: Finds = findsAmong([...rich, ...allSeeds], {})

/** Expects it of runs that have the actions of these areas alone: few of them contain even what is rare otherwise. */
export const findsIn = (...areas: ReadonlyArray<Area>): Finds => findsAmong(allSeeds, { areas })

/** Corrupts the responses to some requests. */
export const answering =
  (fits: (method: string, path: string, options?: Send) => boolean, corrupt: (reply: Reply, times: number) => Reply) =>
  (pay: Pay) => {
    const { send } = pay
    let times = 0
    const corrupted = async (method: string, path: string, options?: Send): Promise<Reply> => {
      const reply = await send(method, path, options)
      return fits(method, path, options) ? corrupt(reply, times++) : reply
    }
    Object.assign(pay, { send: corrupted })
  }

export const withBody = (reply: Reply, more: Body): Reply => ({ ...reply, body: { ...(reply.body as Body), ...more } })
/** Corrupts the records of a list. */
export const withData =
  (corrupt: (data: ReadonlyArray<Body>) => ReadonlyArray<Body>) =>
  (reply: Reply): Reply =>
    withBody(reply, { data: corrupt((reply.body as { readonly data: ReadonlyArray<Body> }).data) })

/** Corrupts each record of the lists whose path fits; `[]` leaves it out. */
export const listed = (path: RegExp, corrupt: (each: Body) => ReadonlyArray<Body>) =>
  answering(
    (method, asked) => method === "GET" && path.test(asked) && asked.includes("limit=100"),
    withData((data) => data.flatMap(corrupt)),
  )

/** Answers requests that the service never gets. */
export const unheard = (method: string, path: RegExp, reply: Omit<Reply, "headers">) => (pay: Pay) => {
  const { send } = pay
  const answered: typeof send = async (asked, at, options) =>
    asked === method && path.test(at) ? { headers: new Headers(), ...reply } : send(asked, at, options)
  Object.assign(pay, { send: answered })
}

/** Corrupts the events that arrived. */
export const withEvents =
  (corrupt: (all: Pay["webhooks"]["received"]) => Pay["webhooks"]["received"]) => (pay: Pay) => {
    const { webhooks } = pay
    const corrupted = {
      ...webhooks,
      get received() {
        return corrupt(webhooks.received)
      },
    }
    Object.assign(pay, { webhooks: corrupted })
  }

/** Corrupts the instructions of some kinds that the external systems have received; `[]` drops them. */
export const withInstructions = (
  kinds: ReadonlyArray<ReceivedInstruction["kind"]>,
  corrupt: (instruction: ReceivedInstruction) => ReadonlyArray<ReceivedInstruction>,
) =>
  withOutside(({ instructions }) => ({
    instructions: () => instructions().flatMap((one) => (kinds.includes(one.kind) ? corrupt(one) : [one])),
  }))

/** Corrupts what the external systems say that they have received. */
export const withOutside = (corrupt: (outside: Outside) => Partial<Outside>) => (pay: Pay) => {
  Object.assign(pay, { outside: { ...pay.outside, ...corrupt(pay.outside) } })
}
