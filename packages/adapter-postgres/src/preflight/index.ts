/** What a program needs before it loads the adapter: the hosts of an address, and why a database cannot be used. Source: D-506. */
export { reasonOf } from "../connection/DatabaseReasons.ts"
export { hostsOf } from "../connection/Hosts.ts"
