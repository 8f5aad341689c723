/**
 * Reads the record that a path names, or fails with its 404: the only refusal of a load.
 * Source: architecture, "Load, ask, decide, commit".
 */
import { Effect } from "effect"
import { type Refusal, ServiceError } from "../foundation/errors/ServiceError.ts"
import type { Stored } from "../store/ChangeSet.ts"
import type { Kind } from "../store/Kinds.ts"
import type { Read } from "./Operation.ts"

/** Returns a record of the caller's tenant. Fails with `refusal` if it does not exist, or if it is not `visible`. */
export const readExisting = Effect.fnUntraced(function* <K extends Kind, E>(
  read: Read<E>,
  kind: K,
  id: string,
  refusal: Refusal,
  visible: (record: Stored<K>) => boolean = () => true,
) {
  const record = (yield* read({ records: [{ kind, id }] })).record(kind, id)
  return record !== undefined && visible(record) ? record : yield* new ServiceError(refusal)
})
