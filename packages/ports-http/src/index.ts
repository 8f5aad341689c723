/** The public names of the ports over HTTP. */
export type { PortOptions } from "./call/PortOptions.ts"
export { httpPorts, isPortsUrl, PortOptionsError } from "./httpPorts.ts"
