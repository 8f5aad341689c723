/** Why a database cannot be used, for a program that loads the adapter only where it has a database. Source: D-506. */
export { reasonOf } from "../connection/DatabaseReasons.ts"
