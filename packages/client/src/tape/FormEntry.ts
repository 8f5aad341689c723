/** A part of a recorded form as `FormData` takes it. */
import type { TapePart } from "./Tape.ts"

export const formEntry = (part: TapePart): readonly [name: string, value: string | File] => [
  part.name,
  "value" in part
    ? part.value
    : new File([Uint8Array.from(atob(part.base64), (char) => char.charCodeAt(0))], part.fileName, { type: part.type }),
]
