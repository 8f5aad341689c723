/**
 * Proves a machine: every state (and "none") against every trigger, its terminal states, its reachable states, its diagram.
 * Source: architecture, "One table per concept; everything else is derived"; the checks are plain functions, so that they are tested themselves.
 */
import assert from "node:assert/strict"
import { type Machine, Mermaid } from "@countersign/core/verify"
import { describe, it } from "../runner/Runner.ts"

type Problems = ReadonlyArray<string>

/** What a proof cannot derive from the machine: its specified arrows, and the states that it may never reach. */
export interface MachineProofOptions<S extends string, T extends string, E extends string> {
  /** Unreachable states, each with the reason why the table contains it. */
  readonly unreachable?: { readonly [state in S]?: string }
  /** The specification's table, copied by hand: the machine must have exactly these arrows. */
  readonly specified?: ReadonlyArray<Machine.Row<S, T, E>>
}

const named = (state: string | null) => state ?? "(none)"
const written = ([from, on, to, emits = []]: Machine.Row<string, string, string>) =>
  `${named(from)} on ${on} to ${to}${emits.length === 0 ? "" : ` emitting ${emits.join(", ")}`}`
const writtenArrow = ({ emits, from, to, trigger }: Machine.Arrow<string, string, string>) =>
  written([from, trigger, to, emits])

/** Returns the missing, unexpected and duplicate names of a list. */
const difference = (what: string, found: ReadonlyArray<string>, expected: ReadonlyArray<string>): Problems => [
  ...expected.filter((name) => !found.includes(name)).map((name) => `${what}: missing ${name}`),
  ...found.filter((name) => !expected.includes(name)).map((name) => `${what}: unexpected ${name}`),
  ...found.filter((name, at) => found.indexOf(name) !== at).map((name) => `${what}: duplicate ${name}`),
]

const followed = <S extends string, T extends string, E extends string>(
  machine: Machine.Machine<S, T, E>,
  from: S | null,
  on: T,
): S | undefined => {
  try {
    return machine.follow(from, on).state
  } catch {
    return undefined
  }
}

/** Checks one state and one trigger: an arrow of the table is taken exactly, every other transition is refused. */
export const problemsOfPair = <S extends string, T extends string, E extends string>(
  machine: Machine.Machine<S, T, E>,
  from: S | null,
  on: T,
): Problems => {
  const pair = `${named(from)} on ${on}`
  const arrows = machine.arrows.filter((arrow) => arrow.from === from && arrow.trigger === on)
  if (arrows.length > 1) return [`${pair}: the table has ${arrows.length} arrows, at most one is allowed`]
  const [arrow] = arrows
  const taken = machine.take(from, on)
  const end = followed(machine, from, on)
  if (arrow === undefined) {
    return [
      ...(taken._tag === "Taken" ? [`${pair}: take returns ${taken.state}, but the table has no such arrow`] : []),
      ...(end === undefined ? [] : [`${pair}: follow returns ${end}, but the table has no such arrow`]),
    ]
  }
  const { emits, to } = arrow
  if (taken._tag === "Refused") return [`${pair}: take refuses, but the table has an arrow to ${to}`]
  return [
    ...(taken.state === to ? [] : [`${pair}: take returns ${taken.state}, the table has ${to}`]),
    ...(end === to ? [] : [`${pair}: follow returns ${end ?? "a defect"}, the table has ${to}`]),
    ...difference(`${pair}: emitted events`, taken.emits, emits),
  ]
}

/** Checks that arrows name only the machine's states and triggers, and that every trigger has an arrow. */
export const problemsOfNames = <S extends string, T extends string, E extends string>(
  machine: Machine.Machine<S, T, E>,
): Problems => {
  const states = new Set<string>(machine.states)
  const triggers = new Set<string>(machine.triggers)
  return [
    ...(machine.name === "" ? ["the machine has no name"] : []),
    ...difference(`${machine.name}: states`, machine.states, [...states]),
    ...difference(`${machine.name}: triggers`, machine.triggers, [...triggers]),
    ...machine.arrows.flatMap((arrow) =>
      states.has(arrow.to) && triggers.has(arrow.trigger) && (arrow.from === null || states.has(arrow.from))
        ? []
        : [`${machine.name}: an arrow has an unknown state or trigger: ${writtenArrow(arrow)}`],
    ),
    ...machine.triggers
      .filter((trigger) => !machine.arrows.some((arrow) => arrow.trigger === trigger))
      .map((trigger) => `${machine.name}: the trigger ${trigger} has no arrow`),
  ]
}

/** Checks that a terminal state refuses every trigger and that every other state has an arrow. */
export const problemsOfTerminals = <S extends string, T extends string, E extends string>(
  machine: Machine.Machine<S, T, E>,
): Problems => [
  ...difference(
    `${machine.name}: terminals`,
    machine.terminals,
    machine.states.filter((state) => !machine.triggers.some((on) => machine.allows(state, on))),
  ),
  ...machine.states
    .filter((state) => machine.isTerminal(state) !== machine.terminals.includes(state))
    .map((state) => `${machine.name}: isTerminal and terminals disagree about ${state}`),
]

/** Checks that every state is reachable, or is listed as unreachable with a reason that still applies. */
export const problemsOfReach = <S extends string, T extends string, E extends string>(
  machine: Machine.Machine<S, T, E>,
  options: MachineProofOptions<S, T, E> = {},
): Problems => {
  const reached = new Set<S>()
  const visit = (from: S | null): void => {
    for (const on of machine.triggers) {
      const taken = machine.take(from, on)
      if (taken._tag === "Refused" || reached.has(taken.state)) continue
      reached.add(taken.state)
      visit(taken.state)
    }
  }
  visit(null)
  const reasonFor = (state: S): string | undefined => options.unreachable?.[state]
  return [
    ...difference(`${machine.name}: reachable`, machine.reachable, [...reached]),
    ...machine.states.flatMap((state) => {
      const reason = reasonFor(state)
      if (reached.has(state))
        return reason === undefined ? [] : [`${machine.name}: ${state} is listed as unreachable but is reachable`]
      if (reason === undefined) return [`${machine.name}: ${state} is unreachable`]
      return reason.trim() === "" ? [`${machine.name}: ${state} is listed as unreachable without a reason`] : []
    }),
  ]
}

/** Checks that the diagram has each arrow with its events, each terminal state, and nothing else. */
export const problemsOfDiagram = <S extends string, T extends string, E extends string>(
  machine: Machine.Machine<S, T, E>,
  diagram: string = Mermaid.diagram(machine),
): Problems => {
  const [head, ...lines] = diagram.split("\n")
  const diagramLines = lines.map((line) => line.trim())
  const arrows = machine.arrows.map(({ emits, from, to, trigger }) => {
    const events = emits.length === 0 ? "" : ` / ${emits.join(", ")}`
    return `${from ?? "[*]"} --> ${to}: ${trigger}${events}`
  })
  return [
    ...(head === "stateDiagram-v2" ? [] : [`${machine.name}: the diagram does not begin with stateDiagram-v2`]),
    ...difference(`${machine.name}: the diagram`, diagramLines, [
      ...arrows,
      ...machine.terminals.map((end) => `${end} --> [*]`),
    ]),
  ]
}

/** Checks that the machine has exactly the arrows of the specification. */
export const problemsOfSpecified = <S extends string, T extends string, E extends string>(
  machine: Machine.Machine<S, T, E>,
  specified: ReadonlyArray<Machine.Row<S, T, E>>,
): Problems => difference(`${machine.name}: the table`, machine.arrows.map(writtenArrow), specified.map(written))

/** Registers the proof of one machine: a test for each state against each trigger, and one for each property. */
export const proveMachine = <S extends string, T extends string, E extends string>(
  machine: Machine.Machine<S, T, E>,
  options: MachineProofOptions<S, T, E> = {},
): void => {
  describe(`the ${machine.name} machine`, () => {
    for (const from of [null, ...machine.states]) {
      for (const on of machine.triggers) {
        it(`${named(from)} on ${on}`, () => {
          assert.deepStrictEqual(problemsOfPair(machine, from, on), [])
        })
      }
    }
    it("uses only declared states and triggers", () => {
      assert.deepStrictEqual(problemsOfNames(machine), [])
    })
    it("has no arrow out of a terminal state", () => {
      assert.deepStrictEqual(problemsOfTerminals(machine), [])
    })
    it("reaches every state that is not listed as unreachable", () => {
      assert.deepStrictEqual(problemsOfReach(machine, options), [])
    })
    it("has a complete diagram", () => {
      assert.deepStrictEqual(problemsOfDiagram(machine), [])
    })
    const { specified } = options
    if (specified !== undefined) {
      it("has exactly the specified arrows", () => {
        assert.deepStrictEqual(problemsOfSpecified(machine, specified), [])
      })
    }
  })
}
