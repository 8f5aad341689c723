/** The public names of the ports over HTTP. */
export type { PortOptions } from "./call/PortOptions.ts"
export { operationsOfPorts } from "./contract/Operations.ts"
export { type HttpPortsOptions, httpPorts, isPortsUrl, PortOptionsError } from "./httpPorts.ts"
export type { ScaTraits } from "./ports/AuthenticationOverHttp.ts"
export type { IssuerTraits } from "./ports/IssuerOverHttp.ts"
