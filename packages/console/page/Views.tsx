/** The areas of the page, in the order of its navigation. */
import type { JSX } from "preact"
import { Books } from "./Books.tsx"
import { EventsArea } from "./EventsArea.tsx"
import { History } from "./History.tsx"
import { isSandbox } from "./Mode.ts"
import { Time } from "./Time.tsx"
import { Waiting } from "./Waiting.tsx"
import type { Action, Page } from "./Wire.ts"

/** What the desk knows, for every area. */
export interface AreaProps {
  /** The actions that wait for approval; `undefined` before the first answer. */
  readonly waiting: Page<Action> | undefined
  /** Real time (ms) of the last answer. */
  readonly now: number
  /** Grows whenever an area should ask anew. */
  readonly round: number
  /** Asks for what waits, now. */
  readonly refresh: () => void
}

export interface View {
  readonly hash: `#${string}`
  readonly name: string
  /** Whether a server in live mode has it. */
  readonly isInLiveMode: boolean
  readonly Area: (props: AreaProps) => JSX.Element
}

const all: readonly [View, ...ReadonlyArray<View>] = [
  {
    hash: "#waiting",
    name: "Approvals",
    isInLiveMode: true,
    Area: ({ now, refresh, round, waiting }) => <Waiting page={waiting} now={now} round={round} onDecided={refresh} />,
  },
  { hash: "#events", name: "Events", isInLiveMode: true, Area: EventsArea },
  { hash: "#history", name: "History", isInLiveMode: true, Area: History },
  { hash: "#books", name: "Books", isInLiveMode: false, Area: Books },
  { hash: "#time", name: "Time", isInLiveMode: false, Area: Time },
]

/** The areas of this page. */
export const views = all.filter(({ isInLiveMode }) => isInLiveMode || isSandbox())

/** The area that the address names; `#events/Event:1` names the area `#events`. */
export const viewGiven = (): View => {
  const [area] = location.hash.split("/", 1)
  return views.find(({ hash }) => hash === area) ?? all[0]
}
