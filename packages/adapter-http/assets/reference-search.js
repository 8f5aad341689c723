/** The search of the reference: operations and webhooks, with the number of each. Source: D-440, D-484. */

const wordsOf = (phrase) => (typeof phrase === "string" ? phrase.toLowerCase().split(/\s+/u).filter(Boolean) : [])

const matches = (texts, phrase) => {
  const searched = texts.join(" ").toLowerCase()
  return wordsOf(phrase).every((word) => searched.includes(word))
}

/** Matches every word of the phrase against path, method, id, summary and tag of an operation. */
const opsFilter = (taggedOperations, phrase) =>
  taggedOperations
    .map((tag, name) =>
      tag.update("operations", (operations) =>
        operations.filter((entry) => {
          const operation = entry.get("operation")
          const own = [operation.get("operationId"), operation.get("summary")]
          return matches([name, entry.get("method"), entry.get("path"), ...own], phrase)
        }),
      ),
    )
    .filter((tag) => tag.get("operations").size > 0)

/** The webhooks that match, by name, id, summary and description, which names their events. */
const webhooksFilter = (webhooks, phrase) =>
  Object.fromEntries(
    Object.entries(webhooks ?? {}).filter(([name, entries]) => {
      const own = entries.flatMap(({ operation: entry }) => {
        const operation = entry.get("operation") ?? entry
        return ["operationId", "summary", "description"].map((field) => operation.get(field))
      })
      return matches(["webhooks", "post", name, ...own], phrase)
    }),
  )

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`

/** Searches webhooks with the operations, and says how many there are of each. */
export const searchPlugin = ({ React }) => {
  const create = React.createElement
  const countOf = ({ specSelectors }) => {
    const operations = specSelectors.taggedOperations().reduce((sum, tag) => sum + tag.get("operations").size, 0)
    return { operations, webhooks: Object.keys(specSelectors.selectWebhooksOperations() ?? {}).length }
  }
  return {
    fn: { opsFilter },
    statePlugins: {
      spec: {
        wrapSelectors: {
          selectWebhooksOperations:
            (original, { layoutSelectors }) =>
            (state, ...rest) =>
              webhooksFilter(original(state, ...rest), layoutSelectors.currentFilter()),
        },
      },
    },
    wrapComponents: {
      FilterContainer: (Filter, system) => (props) => {
        const { operations, webhooks } = countOf(system)
        return create(
          React.Fragment,
          null,
          create(Filter, props),
          create(
            "p",
            { className: "wrapper matches", role: "status" },
            `${counted(operations, "operation")} and ${counted(webhooks, "webhook")}`,
          ),
        )
      },
      // Without a match the renderer would say that there are none at all.
      operations: (Operations, system) => (props) =>
        countOf(system).operations === 0 ? null : create(Operations, props),
    },
  }
}
