/** The interactive reference: Swagger UI over the OpenAPI document of this server. Source: D-440. */

const addressOf = (path) => new URL(path, document.baseURI).href
const languageKey = "countersign-docs-language"

/** Matches every word of the phrase against path, method, id, summary and tag of an operation. */
const opsFilter = (taggedOperations, phrase) => {
  const words = phrase.toLowerCase().split(/\s+/u).filter(Boolean)
  return taggedOperations
    .map((tag, name) =>
      tag.update("operations", (operations) =>
        operations.filter((entry) => {
          const operation = entry.get("operation")
          const text = [
            name,
            entry.get("method"),
            entry.get("path"),
            operation.get("operationId"),
            operation.get("summary"),
          ]
          const searched = text.join(" ").toLowerCase()
          return words.every((word) => searched.includes(word))
        }),
      ),
    )
    .filter((tag) => tag.get("operations").size > 0)
}

const storedLanguage = () => {
  try {
    return localStorage.getItem(languageKey)
  } catch {
    return null
  }
}

const storeLanguage = (language) => {
  try {
    localStorage.setItem(languageKey, language)
  } catch {
    // A page without storage starts with the first language again.
  }
}

let samplesRequest

/** The samples of all operations, which the first opened operation fetches. */
const allSamples = () => {
  samplesRequest ??= fetch(addressOf("docs/samples.json")).then((response) => (response.ok ? response.json() : {}))
  return samplesRequest
}

/** The samples of an operation, one language at a time; the choice holds for all operations. */
const samplesPlugin = ({ React }) => {
  const create = React.createElement
  const Samples = ({ samples }) => {
    const [language, choose] = React.useState(storedLanguage)
    const chosen = samples.find(({ label }) => label === language) ?? samples[0]
    const [copied, setCopied] = React.useState("")
    const onLanguage = ({ label }) => {
      storeLanguage(label)
      choose(label)
      setCopied("")
    }
    const copy = async () => {
      await navigator.clipboard.writeText(chosen.source)
      setCopied("Copied")
    }
    return create(
      "section",
      { className: "samples", "aria-label": "Samples" },
      create(
        "div",
        { className: "samples-languages" },
        ...samples.map((sample) =>
          create(
            "button",
            {
              key: sample.label,
              type: "button",
              "aria-pressed": sample === chosen,
              onClick: () => onLanguage(sample),
            },
            sample.label,
          ),
        ),
        create("button", { type: "button", className: "samples-copy", onClick: copy }, "Copy"),
        create("span", { role: "status" }, copied),
      ),
      create("pre", { tabIndex: 0 }, create("code", null, chosen.source)),
    )
  }
  const inline = (paragraph) =>
    paragraph.split("`").map((part, index) => (index % 2 === 1 ? create("code", { key: index }, part) : part))
  const Prose = ({ className = "", source }) =>
    typeof source !== "string" || source === ""
      ? null
      : create(
          "div",
          { className: `markdown ${className}` },
          ...source.split("\n\n").map((paragraph) => create("p", null, ...inline(paragraph))),
        )
  return {
    fn: { opsFilter },
    wrapComponents: {
      // Elements instead of HTML: the policy of the page admits no text as HTML.
      Markdown: () => Prose,
      responses: (Responses) => (props) => {
        const { method, path, specSelectors } = props
        const [samples, setSamples] = React.useState()
        const id = specSelectors.specJson().getIn(["paths", path, method, "operationId"])
        React.useEffect(() => {
          let isShown = true
          allSamples().then((all) => isShown && setSamples(all[id]))
          return () => {
            isShown = false
          }
        }, [id])
        return create(
          React.Fragment,
          null,
          samples === undefined ? null : create(Samples, { samples }),
          create(Responses, props),
        )
      },
    },
  }
}

/** Follows the reader's system setting, as the other pages do. */
const dark = matchMedia("(prefers-color-scheme: dark)")
const followTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches)
dark.addEventListener("change", followTheme)
followTheme()

/** A sandbox on this machine offers the credentials that it started with. */
const offer = async (ui) => {
  const response = await fetch(addressOf("docs/credentials.json"))
  if (response.status !== 200) return
  const { clientId, clientSecret } = await response.json()
  const button = document.querySelector("#credentials")
  button.hidden = false
  button.addEventListener("click", () => {
    ui.preauthorizeBasic("BasicAuth", clientId, clientSecret)
    button.disabled = true
    button.textContent = `Signed in as ${clientId}`
  })
}

const ui = globalThis.SwaggerUIBundle({
  url: addressOf("openapi.json"),
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 2,
  displayOperationId: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [samplesPlugin],
  onComplete: () => {
    document.querySelector(".operation-filter-input")?.setAttribute("aria-label", "Search operations")
    document.querySelector(".operation-filter-input")?.setAttribute("placeholder", "Search operations")
    document.documentElement.dataset.ready = "true"
  },
})
offer(ui)
