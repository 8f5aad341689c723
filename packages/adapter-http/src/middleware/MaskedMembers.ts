/**
 * The members of one request or answer that were masked, with the texts of then.
 * Source: D-464, D-478, D-479. The texts live as long as the request is being kept.
 */

export interface MaskedMembers {
  /** `at`: `path.code`, `query.name`, `header.name`, `body.path.of.member`. Without a text: it is not known which. */
  readonly add: (at: string, value?: unknown) => void
  readonly members: ReadonlyMap<string, string | undefined>
}

const membersMax = 200
const atMax = 200

export const maskedMembers = (): MaskedMembers => {
  const members = new Map<string, string | undefined>()
  return {
    members,
    add: (at, value) => {
      const name = at.slice(0, atMax)
      if (members.size < membersMax) members.set(name, typeof value === "string" ? value : undefined)
    },
  }
}
