/** The traffic of this process: what is wrong with its answers, and whether a fake service invents them. */

export interface ProcessTraffic {
  readonly problems: Array<string>
  isInvented: boolean
}

/** Files that share a process share its traffic, also where each loads its own modules. */
const key = Symbol.for("countersign:test:traffic")
const shared = globalThis as { [key]?: ProcessTraffic }

/** Returns the traffic of this process; calls `onFirst` for the first file. */
export const processTraffic = (onFirst: (traffic: ProcessTraffic) => void = () => undefined): ProcessTraffic => {
  const known = shared[key]
  if (known !== undefined) return known
  const traffic: ProcessTraffic = { problems: [], isInvented: false }
  shared[key] = traffic
  onFirst(traffic)
  return traffic
}
