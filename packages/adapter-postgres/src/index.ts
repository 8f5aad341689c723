/** The public names of the PostgreSQL adapter. */
export * from "./connection/Connection.ts"
export * as PgliteConnection from "./connection/PgliteConnection.ts"
export * as PoolConnection from "./connection/PoolConnection.ts"
export * as Migrations from "./migrations/Migrations.ts"
export { PostgresStore } from "./PostgresStore.ts"
