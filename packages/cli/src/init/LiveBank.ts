/** The banks that `countersign init --live` can begin with. Source: D-534. */

export const liveBanks = ["typescript", "python", "files", "none"] as const

export type LiveBank = (typeof liveBanks)[number]

/** The file of a bank that answers over HTTP, and the script that starts it. */
export const bankServers = {
  typescript: { file: "bank.ts", start: "node --env-file=bank.env bank.ts" },
  python: { file: "bank.py", start: "set -a && . ./bank.env && set +a && exec python3 bank.py" },
} as const

export const isBankServer = (bank: LiveBank): bank is keyof typeof bankServers => bank in bankServers
