/** The published conformance suites. */

export { documentVaultConformance } from "./documentVaultConformance.ts"
export type { IssuerConformanceOptions } from "./issuerChecks.ts"
export { issuerConformance } from "./issuerConformance.ts"
export type { RailsConformanceOptions } from "./railsChecks.ts"
export { railsConformance } from "./railsConformance.ts"
export type { ConformanceOptions } from "./storeChecks.ts"
export { storeConformance } from "./storeConformance.ts"
export type { VerifierConformanceOptions } from "./verifierChecks.ts"
export { verifierConformance } from "./verifierConformance.ts"
