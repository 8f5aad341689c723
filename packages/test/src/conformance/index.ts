/** The published conformance suites. */

export { type RailsConformanceOptions, railsConformance } from "./railsConformance.ts"
export { type ConformanceOptions, storeConformance } from "./storeConformance.ts"
