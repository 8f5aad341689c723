/** The interactive reference: Swagger UI over the OpenAPI document of this server. Source: D-440, D-484. */
import { dialogPlugin } from "./reference-dialog.js"
import { filled, readIds, unfilled, withIds } from "./reference-ids.js"
import { resolvePlugin } from "./reference-resolve.js"
import { searchPlugin } from "./reference-search.js"

const addressOf = (path) => new URL(path, document.baseURI).href
const origin = addressOf(".").replace(/\/$/u, "")
const languageKey = "countersign-docs-language"

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

/** What the signed-in reader's records gave, and the views that show it. */
let ids = new Map()
const idListeners = new Set()

const announce = (text) => {
  document.querySelector("#filled").textContent = text
}

/** Reads the ids of the newest records with the reader's credentials; the samples show them at once. */
const refreshIds = async ({ password, username }) => {
  const authorization = `Basic ${btoa(`${username}:${password}`)}`
  const [{ url }] = ui.specSelectors.specJson().get("servers").toJS()
  const read = async (path) => {
    const response = await fetch(`${origin}${url.replace(/\/$/u, "")}${path}`, { headers: { authorization } })
    return response.ok ? response.json() : undefined
  }
  ids = await readIds(read, username)
  for (const listener of idListeners) listener(ids)
}

let signedIn

/** Fills the examples of the whole document, which forms take their first values from. */
const fillFor = async (credentials) => {
  signedIn = credentials
  await refreshIds(credentials)
  if (ids.size === 0) return
  const text = ui.specSelectors.specStr()
  ui.specActions.updateSpec(withIds(text, ids))
  announce("The examples have the ids of your newest records.")
}

/** By method and path, kept because the renderer has no document while it reads a filled one. */
const operationIds = new Map()

const noteOperations = () => {
  for (const [path, item] of Object.entries(ui.specSelectors.specJson().get("paths").toJS()))
    for (const [method, { operationId }] of Object.entries(item)) operationIds.set(`${method} ${path}`, operationId)
}

let samplesRequest
let loadedSamples = {}

/** The samples of all operations, which the first opened operation fetches. */
const allSamples = () => {
  samplesRequest ??= fetch(addressOf("docs/samples.json")).then(async (response) => {
    if (response.ok) loadedSamples = await response.json()
    return loadedSamples
  })
  return samplesRequest
}

/** The samples of an operation, one language at a time; the choice holds for all operations. */
const samplesPlugin = ({ React }) => {
  const create = React.createElement
  const Samples = ({ samples }) => {
    const [language, choose] = React.useState(storedLanguage)
    const chosen = samples.find(({ label }) => label === language) ?? samples[0]
    const [copied, setCopied] = React.useState("")
    const [known, setKnown] = React.useState(ids)
    React.useEffect(() => {
      idListeners.add(setKnown)
      return () => void idListeners.delete(setKnown)
    }, [])
    const source = filled(chosen.source, known, origin)
    const needs = [
      ...(source.includes("AGENT_TOKEN") ? [["AGENT_TOKEN", "redeemAgentDeviceCode"]] : []),
      ...unfilled(source).map(({ maker, placeholder }) => [placeholder, maker]),
    ]
    const onLanguage = ({ label }) => {
      storeLanguage(label)
      choose(label)
      setCopied("")
    }
    const copy = async () => {
      await navigator.clipboard.writeText(source)
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
      needs.length === 0
        ? null
        : create(
            "ul",
            { className: "samples-needs", "aria-label": "To fill in" },
            ...needs.map(([name, maker]) =>
              create(
                "li",
                { key: name },
                create("code", null, name),
                " is in the answer of ",
                create("code", null, maker),
                ".",
              ),
            ),
          ),
      create("pre", { tabIndex: 0, "aria-label": `Sample in ${chosen.label}` }, create("code", null, source)),
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
    statePlugins: {
      auth: {
        wrapActions: {
          authorize: (original) => (payload) => {
            const result = original(payload)
            const { value } = JSON.parse(JSON.stringify(payload))["BasicAuth"] ?? {}
            if (value?.username !== undefined) fillFor(value)
            return result
          },
        },
      },
    },
    wrapComponents: {
      // Elements instead of HTML: the policy of the page admits no text as HTML.
      Markdown: () => Prose,
      responses: (Responses) => (props) => {
        const { method, path } = props
        const [fetched, setSamples] = React.useState()
        const id = operationIds.get(`${method} ${path}`)
        // The renderer makes this view anew for a filled document.
        const samples = fetched ?? loadedSamples[id]
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
    // The renderer's own function passes by the wrapped action.
    fillFor({ username: clientId, password: clientSecret })
    button.disabled = true
    button.textContent = `Signed in as ${clientId}`
    const copy = document.querySelector("#shell")
    copy.hidden = false
    copy.focus()
  })
  document.querySelector("#shell").addEventListener("click", async () => {
    await navigator.clipboard.writeText(
      `export HOST='${origin}' CLIENT_ID='${clientId}' CLIENT_SECRET='${clientSecret}'\n`,
    )
    announce("Copied HOST, CLIENT_ID and CLIENT_SECRET for a shell.")
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
  plugins: [resolvePlugin, searchPlugin, samplesPlugin, dialogPlugin],
  syntaxHighlight: { theme: "tomorrow-night" },
  // What a tried request created is in the samples that are opened next.
  responseInterceptor: (response) => {
    const isWritten = response.ok && response.obj === undefined && signedIn !== undefined
    if (isWritten) refreshIds(signedIn)
    return response
  },
  onComplete: () => {
    noteOperations()
    document.querySelector(".operation-filter-input")?.setAttribute("aria-label", "Search operations and webhooks")
    document.querySelector(".operation-filter-input")?.setAttribute("placeholder", "Search operations and webhooks")
    document.documentElement.dataset.ready = "true"
  },
})
offer(ui)

document.querySelector("a.skip").addEventListener("click", (event) => {
  const field = document.querySelector(".operation-filter-input")
  if (field === null) return
  event.preventDefault()
  field.focus()
})
