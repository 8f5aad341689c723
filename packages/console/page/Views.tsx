/** The areas of the page, in the order of its navigation. */
import type { JSX } from "preact"
import { Audit } from "./Audit.tsx"
import { Books } from "./Books.tsx"
import { EventsArea } from "./EventsArea.tsx"
import { History } from "./History.tsx"
import { Inbox } from "./Inbox.tsx"
import { isSandbox } from "./Mode.ts"
import { PolicyArea } from "./PolicyArea.tsx"
import { Reconciliation } from "./Reconciliation.tsx"
import { Records } from "./Records.tsx"
import { RequestsArea } from "./RequestsArea.tsx"
import { Time } from "./Time.tsx"
import { Waiting } from "./Waiting.tsx"
import type { Action, Page } from "./Wire.ts"
import { Worlds } from "./Worlds.tsx"

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
  /** Absent: a sandbox has it. Its simulated bank sends no statements. */
  readonly isInSandbox?: false
  readonly Area: (props: AreaProps) => JSX.Element
}

const approvals: View = {
  hash: "#waiting",
  name: "Approvals",
  isInLiveMode: true,
  Area: ({ now, refresh, round, waiting }) => <Waiting page={waiting} now={now} round={round} onDecided={refresh} />,
}

const all: ReadonlyArray<View> = [
  { hash: "#requests", name: "Requests", isInLiveMode: false, Area: RequestsArea },
  approvals,
  { hash: "#events", name: "Events", isInLiveMode: true, Area: EventsArea },
  { hash: "#inbox", name: "Inbox", isInLiveMode: false, Area: Inbox },
  { hash: "#history", name: "History", isInLiveMode: true, Area: History },
  { hash: "#policy", name: "Policies", isInLiveMode: false, Area: PolicyArea },
  { hash: "#records", name: "Records", isInLiveMode: true, Area: Records },
  { hash: "#audit", name: "Audit", isInLiveMode: true, Area: Audit },
  { hash: "#books", name: "Books", isInLiveMode: false, Area: Books },
  { hash: "#reconciliation", name: "Reconciliation", isInLiveMode: true, isInSandbox: false, Area: Reconciliation },
  { hash: "#time", name: "Time", isInLiveMode: false, Area: Time },
  { hash: "#worlds", name: "Worlds", isInLiveMode: false, Area: Worlds },
]

/** The areas of this page. */
export const views = all.filter(({ isInLiveMode, isInSandbox = true }) => (isSandbox() ? isInSandbox : isInLiveMode))

/** The area that the address names, or the approvals; `#events/Event:1` names the area `#events`. */
export const viewGiven = (): View => {
  const [area] = location.hash.split("/", 1)
  return views.find(({ hash }) => hash === area) ?? approvals
}
