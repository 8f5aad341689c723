/** The contents of the site: its chapters, and their pages in reading order. A test holds them against the pages that exist. */

/** The address of the site on its server. */
export const base = "/docs/site/"

export interface Chapter {
  readonly title: string
  /** Paths below `docs/` without their suffix; the title of a page is its first heading. */
  readonly pages: ReadonlyArray<string>
}

export const chapters: ReadonlyArray<Chapter> = [
  { title: "Start here", pages: ["guides/first-steps", "packages"] },
  {
    title: "Concepts",
    pages: ["architecture", "concepts/change-sets", "concepts/machines-and-rules", "concepts/ledger", "time"],
  },
  {
    title: "Embed",
    pages: [
      "guides/embedding",
      "guides/own-transaction",
      "guides/authentication",
      "guides/client",
      "guides/webhooks",
      "guides/chat-approvals",
      "guides/wallet-clients",
    ],
  },
  { title: "Test", pages: ["guides/testing", "guides/moving", "guides/command-line", "magic-values"] },
  { title: "Verify", pages: ["guides/verifying", "traceability", "mutation"] },
  {
    title: "Banks and other ports",
    pages: [
      "guides/banks",
      "guides/adapters",
      "guides/asynchronous-banks",
      "guides/bank-files",
      "guides/ports-over-http",
      "guides/store-adapter",
    ],
  },
  {
    title: "Operate",
    pages: [
      "guides/server",
      "guides/deploying",
      "guides/live",
      "guides/operations",
      "guides/replicas",
      "guides/backup",
      "guides/rotate-keys",
      "guides/security",
      "guides/threat-model",
      "guides/personal-data",
      "scale",
      "performance",
    ],
  },
  {
    title: "Reference",
    pages: [
      "wire",
      "options",
      "harness",
      "ports",
      "errors",
      "errors-of-operations",
      "events",
      "machines",
      "account-types",
      "currencies",
      "ids",
      "kinds",
      "limits",
      "limits-of-use",
      "interfaces",
      "dependencies",
    ],
  },
  { title: "How it is built", pages: ["structure", "decisions", "policies/versions"] },
]

/** Every page that the contents name. */
export const listedPages: ReadonlyArray<string> = chapters.flatMap(({ pages }) => pages)
