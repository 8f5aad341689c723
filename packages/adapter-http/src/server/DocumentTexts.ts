/**
 * What is made of the definition of the interface for its readers: the OpenAPI document, the plain page, and the samples.
 * Source: D-440, D-511.
 */
import { Api, endpointsOf, LiveApi } from "@countersign/client/api"
import { spellingsOf } from "@countersign/core/models"
import { codeSamples } from "./CodeSamples.ts"
import * as DocsPage from "./DocsPage.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import { spelledDocument } from "./SpelledDocument.ts"

export interface DocumentOptions {
  /** Whether it is the interface of a live service, without the operations of a sandbox. */
  readonly isLive: boolean
  readonly basePath: string
  readonly serviceName: string
}

export interface DocumentTexts<Text = string> {
  readonly document: Text
  readonly page: Text
  readonly samples: Text
}

/** The typed client's group of each operation. */
const groups = new Map(endpointsOf(Api).map(({ endpoint, group }) => [endpoint.identifier, group]))

export const make = ({ basePath, isLive, serviceName }: DocumentOptions): DocumentTexts => {
  const spellings = spellingsOf(serviceName)
  const neutral = isLive ? OpenApiDocument.make(LiveApi, basePath) : OpenApiDocument.make(Api, basePath)
  const document = spelledDocument(neutral, spellings)
  return {
    document: JSON.stringify(document),
    page: DocsPage.make(document, spellings),
    samples: JSON.stringify(codeSamples(document, (id) => groups.get(id) ?? "")),
  }
}
