/**
 * A state machine as a picture: one row of states for each number of steps from the start. Each arrow carries the numbers of its rows in the
 * table below the picture.
 */
import type { Machine } from "@countersign/core/verify"

type Arrows = Machine.ArrowTable["arrows"]

const column = 190
const row = 92
const width = 160
const height = 34
/** Room above the first row for its arcs. */
const top = 90

interface Place {
  readonly x: number
  readonly y: number
}

/** The fewest steps from the start to each state. */
const ranksOf = ({ arrows, states }: Machine.ArrowTable): ReadonlyMap<string, number> => {
  const ranks = new Map<string, number>()
  let front = arrows.filter(({ from }) => from === null).map(({ to }) => to)
  for (let rank = 0; front.length > 0; rank += 1) {
    for (const state of front) if (!ranks.has(state)) ranks.set(state, rank)
    front = arrows
      .filter(({ from, to }) => from !== null && ranks.get(from) === rank && !ranks.has(to))
      .map(({ to }) => to)
  }
  const last = Math.max(0, ...ranks.values())
  return new Map(states.map((state) => [state, ranks.get(state) ?? last + 1]))
}

const placesOf = (machine: Machine.ArrowTable) => {
  const ranks = ranksOf(machine)
  const rows = Map.groupBy(machine.states, (state) => ranks.get(state) ?? 0)
  const widest = Math.max(...[...rows.values()].map((states) => states.length))
  const places = new Map<string, Place>()
  for (const [rank, states] of rows) {
    const left = ((widest - states.length) * column) / 2
    for (const [index, state] of states.entries()) {
      places.set(state, { x: 70 + left + index * column + width / 2, y: top + rank * row })
    }
  }
  return { places, size: { width: 140 + widest * column, height: top + 70 + Math.max(...rows.keys()) * row } }
}

/** The way of an arrow and the place of its numbers. Arrows back and to the same row bow to the side. */
const wayOf = (from: Place, to: Place): { readonly path: string; readonly label: Place } => {
  const half = height / 2
  if (from === to) {
    const x = from.x + width / 2
    return {
      path: `M${x} ${from.y - 8}C${x + 34} ${from.y - 20} ${x + 34} ${from.y + 20} ${x} ${from.y + 8}`,
      label: { x: x + 26, y: from.y },
    }
  }
  const isDown = to.y > from.y
  const isNext = isDown && to.y - from.y <= row
  const start = { x: from.x + (isDown ? 0 : 24), y: from.y + (isDown ? half : -half) }
  if (to.y === from.y) {
    // To the right above the row, to the left below it; the farther, the higher.
    const side = to.x > from.x ? -1 : 1
    const y = from.y + side * half
    const middle = { x: (from.x + to.x) / 2, y: y + side * (14 + Math.abs(to.x - from.x) * 0.13) }
    return {
      path: `M${from.x + 24} ${y}Q${middle.x} ${middle.y} ${to.x + side * 24} ${y}`,
      label: { x: middle.x, y: (y + middle.y) / 2 },
    }
  }
  const end = { x: to.x + (isDown ? 0 : 24), y: to.y + (isDown ? -half : half) }
  const bow = isNext ? 0 : isDown ? -78 : 78
  const middle = { x: (start.x + end.x) / 2 + bow, y: (start.y + end.y) / 2 }
  return {
    path: `M${start.x} ${start.y}Q${middle.x} ${middle.y} ${end.x} ${end.y}`,
    label: { x: (start.x + 2 * middle.x + end.x) / 4, y: (start.y + 2 * middle.y + end.y) / 4 },
  }
}

const arrowsOf = (arrows: Arrows, places: ReadonlyMap<string, Place>): ReadonlyArray<string> => {
  const numbered = arrows.map((arrow, index) => ({ ...arrow, number: index + 1 }))
  const byEnds = Map.groupBy(
    numbered.filter(({ from }) => from !== null),
    ({ from, to }) => `${from} ${to}`,
  )
  return [...byEnds.values()].flatMap((group) => {
    const [first] = group
    const from = places.get(first?.from ?? "")
    const to = places.get(first?.to ?? "")
    if (from === undefined || to === undefined) return []
    const { label, path } = wayOf(from, to)
    const numbers = group.map(({ number }) => number).join(" ")
    const labelWidth = 10 + numbers.length * 7
    return [
      `<path class="arrow" d="${path}" marker-end="url(#head)"/>`,
      `<rect class="number" x="${label.x - labelWidth / 2}" y="${label.y - 9}" width="${labelWidth}" height="18" rx="9"/><text class="number" x="${label.x}" y="${label.y + 4}">${numbers}</text>`,
    ]
  })
}

const startsOf = (arrows: Arrows, places: ReadonlyMap<string, Place>): ReadonlyArray<string> =>
  [...new Set(arrows.filter(({ from }) => from === null).map(({ to }) => to))].flatMap((state) => {
    const place = places.get(state)
    if (place === undefined) return []
    const top = place.y - height / 2
    return [
      `<circle class="start" cx="${place.x}" cy="${top - 24}" r="5"/><path class="arrow" d="M${place.x} ${top - 19}L${place.x} ${top}" marker-end="url(#head)"/>`,
    ]
  })

export const machinePicture = (machine: Machine.ArrowTable): string => {
  const { places, size } = placesOf(machine)
  const boxes = [...places].map(
    ([state, { x, y }]) =>
      `<rect class="state" x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="8"/><text x="${x}" y="${y + 4}"${state.length > 20 ? ` textLength="${width - 12}" lengthAdjust="spacingAndGlyphs"` : ""}>${state}</text>`,
  )
  return `<svg class="machine" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" role="img" aria-label="State machine ${machine.name}; its arrows are in the table below."><defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>${[...startsOf(machine.arrows, places), ...boxes, ...arrowsOf(machine.arrows, places)].join("")}</svg>`
}
