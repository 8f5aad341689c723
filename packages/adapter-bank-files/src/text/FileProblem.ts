/** Why a file of the bank is not read. The message names the place and what would be right, and no account. Source: D-530. */

export class FileProblem extends Error {
  override readonly name = "FileProblem"
}

export const refuse = (message: string): never => {
  throw new FileProblem(message)
}
