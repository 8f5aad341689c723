/**
 * The faults that are switched on in a sandbox's process, and the dice that decide which calls meet them.
 * Source: D-480.
 */
import type { FaultPort, FaultsRequest } from "../model/fault/FaultResource.ts"
import type { PortFaults } from "../ports/PortFaults.ts"
import * as ChangeSignal from "../store/ChangeSignal.ts"

export interface FaultSwitches extends PortFaults {
  /** Rolls the dice of a port for one call, and returns the fault that it meets. It counts when `hit` is called. */
  readonly roll: <Port extends FaultPort>(port: Port) => FaultsRequest[Port] | undefined
  readonly hit: (port: FaultPort) => void
}

/** The n-th roll of a seed, from 0 to 99. Source: the finalizer of MurmurHash3. */
const rollOf = (seed: number, n: number): number => {
  let h = (seed ^ Math.imul(n, 0x9e3779b1)) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return ((h ^ (h >>> 16)) >>> 0) % 100
}

/** The share of calls that meet a fault. */
const percentOf = (fault: FaultsRequest[FaultPort]): number =>
  fault === undefined ? 0 : "commits" in fault ? 100 : (fault.percent ?? 100)

export const make = (): FaultSwitches => {
  let faults: FaultsRequest = {}
  const met = new Map<FaultPort, number>()
  const rolls = new Map<FaultPort, number>()
  const changes = ChangeSignal.make()
  const changed = () => changes.changed(undefined, new Set(["faults"]))
  const next = (counts: Map<FaultPort, number>, port: FaultPort): number => {
    const count = (counts.get(port) ?? 0) + 1
    counts.set(port, count)
    return count
  }
  return {
    settings: () => faults,
    met: (port) => met.get(port) ?? 0,
    set: (request) => {
      faults = request
      met.clear()
      rolls.clear()
      changed()
    },
    watch: (onChange) => changes.watch("", onChange),
    roll: <Port extends FaultPort>(port: Port) => {
      const percent = percentOf(faults[port])
      return percent > 0 && rollOf(faults.seed ?? 1, next(rolls, port)) < percent ? faults[port] : undefined
    },
    hit: (port) => {
      const count = next(met, port)
      if (port === "store" && faults.store !== undefined && count >= faults.store.commits) {
        const { store: _, ...others } = faults
        faults = others
      }
      changed()
    },
  }
}
