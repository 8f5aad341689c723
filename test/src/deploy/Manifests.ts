/** The manifests of `deploy/kubernetes`, as `kubectl apply --kustomize` reads them. Source: D-542. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parse, parseAllDocuments } from "yaml"
import { repository } from "../packages/Packed.ts"

const folder = join(repository, "deploy/kubernetes")

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string | number }
  readonly tcpSocket?: { readonly port: string | number }
}

export interface Container {
  readonly name: string
  readonly image: string
  readonly command?: ReadonlyArray<string>
  readonly args?: ReadonlyArray<string>
  readonly ports?: ReadonlyArray<{ readonly name: string; readonly containerPort: number }>
  readonly envFrom?: ReadonlyArray<{ readonly configMapRef?: { name: string }; readonly secretRef?: { name: string } }>
  readonly startupProbe?: Probe
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } }
  readonly resources?: {
    readonly limits?: Readonly<Record<string, string>>
    readonly requests?: Readonly<Record<string, string>>
  }
  readonly securityContext?: Readonly<Record<string, unknown>>
}

export type Labels = Readonly<Record<string, string>>

interface PodTemplate {
  readonly metadata: { readonly labels: Labels }
  readonly spec: {
    readonly containers: ReadonlyArray<Container>
    readonly securityContext?: Readonly<Record<string, unknown>>
    readonly automountServiceAccountToken?: boolean
    readonly enableServiceLinks?: boolean
    readonly terminationGracePeriodSeconds?: number
    readonly topologySpreadConstraints?: ReadonlyArray<{ readonly labelSelector: { readonly matchLabels: Labels } }>
  }
}

interface Port {
  readonly port: number | string
  readonly targetPort?: number | string
}

export interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Labels }
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: {
    readonly template?: PodTemplate
    readonly replicas?: number
    /** Of a Service the labels themselves. */
    readonly selector?: { readonly matchLabels?: Labels }
    readonly podSelector?: { readonly matchLabels?: Labels }
    readonly ports?: ReadonlyArray<Port>
    readonly policyTypes?: ReadonlyArray<string>
    readonly ingress?: ReadonlyArray<{ readonly ports?: ReadonlyArray<Port> }>
    readonly minReplicas?: number
    readonly scaleTargetRef?: { readonly kind: string; readonly name: string }
  }
}

export const kustomization: {
  readonly resources: ReadonlyArray<string>
  readonly images: ReadonlyArray<{ readonly name: string }>
} = parse(readFileSync(join(folder, "kustomization.yaml"), "utf8"))

/** The files that the kustomization does not name. */
export const unnamedFiles = (): ReadonlyArray<string> =>
  readdirSync(folder).filter((name) => name !== "kustomization.yaml" && !kustomization.resources.includes(name))

/** Parses every document of a file. An error of its syntax is an error. */
const documentsOf = (name: string): ReadonlyArray<Resource> =>
  parseAllDocuments(readFileSync(join(folder, name), "utf8")).map((document) => {
    const [problem] = document.errors
    if (problem !== undefined) throw new Error(`${name}: ${problem.message}`)
    return document.toJS()
  })

export const resources: ReadonlyArray<Resource> = kustomization.resources.flatMap(documentsOf)

export const named = (kind: string, name: string): Resource => {
  const found = resources.find((resource) => resource.kind === kind && resource.metadata.name === name)
  if (found === undefined) throw new Error(`${kind} ${name} does not exist`)
  return found
}

export interface Workload {
  readonly name: string
  readonly kind: string
  readonly template: PodTemplate
  readonly container: Container
}

/** Everything that makes pods. */
export const workloads: ReadonlyArray<Workload> = resources.flatMap(({ kind, metadata, spec }) => {
  const [container] = spec?.template?.spec.containers ?? []
  if (spec?.template === undefined || container === undefined) return []
  return [{ name: metadata.name, kind, template: spec.template, container }]
})

/** Those that run the command. */
export const processes = workloads.filter(({ container }) => container.image === "countersign")

export const selects = (selector: Labels, labels: Labels): boolean =>
  Object.keys(selector).length > 0 && Object.entries(selector).every(([key, value]) => labels[key] === value)
