/** Simulated banks for tests: they read `out/` and write `in/`, with faults. */
export { type IsoSimulatorOptions, isoSimulator, type SimulatedBank } from "./IsoSimulator.ts"
export { type NachaSimulatorOptions, nachaSimulator } from "./NachaSimulator.ts"
export type { AchPayment } from "./PaymentFiles.ts"
export { type Fate, type Fault, faults, type SimulatedPayment } from "./SimulatedBank.ts"
