/** The public names of the PostgreSQL adapter. */
export type { Connection, Listening, Parameter, Query, Session, Statement } from "./connection/Connection.ts"
export * as PgliteConnection from "./connection/PgliteConnection.ts"
export * as PoolConnection from "./connection/PoolConnection.ts"
export * as FolderLock from "./FolderLock.ts"
export * as GroupReads from "./GroupReads.ts"
export * as Migrations from "./migrations/Migrations.ts"
export { type PgliteStoreOptions, type PoolStoreOptions, PostgresStore, type StoreOptions } from "./PostgresStore.ts"
export { type TransactionStore, TransactionUnsuitable } from "./TransactionStore.ts"
