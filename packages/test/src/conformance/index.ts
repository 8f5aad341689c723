/** The published conformance suites. */
export { type ConformanceOptions, storeConformance } from "./storeConformance.ts"
