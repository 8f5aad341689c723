/**
 * The exit codes of all commands. A script needs to know whether to correct the configuration, to try again, or to migrate.
 * Source: D-342.
 */

export const ExitCodes = {
  done: { code: 0, meaning: "done, or ended by a signal" },
  negative: {
    code: 1,
    meaning:
      "the answer is negative: a check found a problem, a status differs, not all work was done, or the action was refused",
  },
  usage: { code: 2, meaning: "an option, a variable or a file is not valid; correct it" },
  store: {
    code: 3,
    meaning: "the store cannot be used: not reachable, no access, or open in another process; try again later",
  },
  address: {
    code: 4,
    meaning: "the address cannot be listened on: the port is in use, or the host is not this machine's",
  },
  unsafe: {
    code: 5,
    meaning: "a secret is weak, missing or not the store's, or a combination is not safe; correct it",
  },
  schema: {
    code: 6,
    meaning: "the schema is not that of this release; run `countersign migrate`, or start the other release",
  },
  server: {
    code: 7,
    meaning: "no server answers, or it fails; start it, name another with --server, or try again later",
  },
  access: { code: 8, meaning: "the server refuses the credentials, or does not permit it to them; correct them" },
  defect: { code: 70, meaning: "a defect of the software; report it" },
} as const

export type ExitReason = keyof typeof ExitCodes
