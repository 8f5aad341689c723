/**
 * Whether the ids of an approval row name a destination. An address in other letters is the same destination, or an agent could pass a row by.
 * Source: D-532, D-085.
 */
import { isSameUmaAddress, isUmaAddress } from "../customer/UmaAddress.ts"

/** `id`: the id of an account, compared exactly, or a UMA address, compared in any letter case. */
export const isNamedBy = (ids: ReadonlyArray<string>, id: string): boolean =>
  isUmaAddress(id) ? ids.some((each) => isSameUmaAddress(each, id)) : ids.includes(id)
