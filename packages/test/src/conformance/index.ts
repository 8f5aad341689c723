/** The published conformance suites. */

export { documentVaultConformance } from "./documentVaultConformance.ts"
export { type RailsConformanceOptions, railsConformance } from "./railsConformance.ts"
export { type ConformanceOptions, storeConformance } from "./storeConformance.ts"
