/** The public names of the memory adapter. */
export type { Book, Entry } from "./Ledger.ts"
export { type Memory, MemoryStore } from "./MemoryStore.ts"
export { MemoryVault, type MemoryVaultState } from "./MemoryVault.ts"
export { type Snapshot, SnapshotInvalid } from "./Snapshot.ts"
