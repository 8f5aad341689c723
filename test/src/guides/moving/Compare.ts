/** Plays one tape on two services, and lists where their answers differ. */
import { type Difference, type ReplayTarget, replay, type Tape } from "@countersign/client/tape"

export interface Comparison {
  /** Steps whose answers differ on the first service only, on the second only, and on both. */
  readonly onlyFirst: ReadonlyArray<Difference>
  readonly onlySecond: ReadonlyArray<Difference>
  readonly both: ReadonlyArray<Difference>
}

const placeOf = ({ at, step }: Difference) => `${step} ${at}`

export const compare = async (tape: Tape, first: ReplayTarget, second: ReplayTarget): Promise<Comparison> => {
  const [one, other] = [await replay(tape, first), await replay(tape, second)]
  const places = (differences: ReadonlyArray<Difference>) => new Set(differences.map(placeOf))
  const [ofOne, ofOther] = [places(one), places(other)]
  return {
    onlyFirst: one.filter((each) => !ofOther.has(placeOf(each))),
    onlySecond: other.filter((each) => !ofOne.has(placeOf(each))),
    both: other.filter((each) => ofOne.has(placeOf(each))),
  }
}
