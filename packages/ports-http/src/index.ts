/** The public names of the ports over HTTP. */
export type { PortOptions } from "./call/PortOptions.ts"
export { operationsOfPorts } from "./contract/Operations.ts"
export type { ReportOperation, ReportServices } from "./contract/ReportOperation.ts"
export { reportOperations } from "./contract/ReportOperations.ts"
export { type HttpPortsOptions, httpPorts, isPortsUrl, PortOptionsError } from "./httpPorts.ts"
export type { ScaTraits } from "./ports/AuthenticationOverHttp.ts"
export type { IssuerTraits } from "./ports/IssuerOverHttp.ts"
export { type PortReportsOptions, portReports } from "./report/portReports.ts"
export {
  makeTakeReport,
  type Receipt,
  type ReceivedReport,
  reportBytesMax,
  type TakeReportOptions,
} from "./report/TakeReport.ts"
export { portSecretProblem } from "./signing/PortSecretProblem.ts"
export type { PortSecrets } from "./signing/Signatures.ts"
