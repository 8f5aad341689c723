/** The operator's name where no option gives one: that of the machine's user, or its number, which is all that a container's user has. */
import { userInfo } from "node:os"

export const operatorName = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`
  }
}
