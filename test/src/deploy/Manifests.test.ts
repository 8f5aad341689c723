/** The manifests for Kubernetes: valid by its schemas, and in step with the command's options, ports and paths. Source: D-542. */
import { describe, expect, it } from "vitest"
import { variables } from "../../../packages/cli/src/Variables.ts"
import { workerLimits } from "../../../packages/core/src/operation/WorkerLimits.ts"
import { kustomization, named, processes, resources, selects, unnamedFiles, workloads } from "./Manifests.ts"
import { problemsOfSchema } from "./Schemas.ts"

const settings = named("ConfigMap", "countersign-settings").data ?? {}
const optionOf = (words: ReadonlyArray<string>, name: string) => words[words.indexOf(name) + 1]

describe("each resource", () => {
  it("is valid by the schemas of Kubernetes, and has no unknown field", () => {
    expect(resources.flatMap(problemsOfSchema)).toEqual([])
    expect(resources.length).toBeGreaterThan(15)
  })

  it("has a kind and a name of its own, in a file that the kustomization names", () => {
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
    expect(unnamedFiles()).toEqual([])
  })

  it("is not a Secret, and no text in it looks like one", () => {
    expect(resources.filter(({ kind }) => kind === "Secret")).toEqual([])
    const text = JSON.stringify(resources)
    expect(text).not.toMatch(/PRIVATE KEY|PASSWORD|_SECRET|_KEY|:\/\/[^"/@\s]+:[^"/@\s]+@|[0-9a-f]{32}/u)
  })
})

describe("the schemas", () => {
  const deployment = named("Deployment", "countersign-api")
  const at = (change: object) => ({ ...deployment, spec: { ...deployment.spec, ...change } })

  it("report a missing field, a wrong type and an unknown field", () => {
    expect(problemsOfSchema(at({ selector: undefined }))).toEqual([
      "apps/v1 Deployment/spec is not valid: required selector",
    ])
    expect(problemsOfSchema(at({ replicas: "two" }))).toEqual([
      "apps/v1 Deployment/spec/replicas is not valid: type integer",
    ])
    expect(problemsOfSchema(at({ minReadySecond: 5 }))).toEqual(["apps/v1 Deployment/spec/minReadySecond is no field"])
    expect(problemsOfSchema({ apiVersion: "v1", kind: "Pod" })).toEqual(["v1 Pod has no schema here"])
  })
})

describe.each(workloads.map((workload) => [workload.name, workload] as const))(
  "%s",
  (_, { container, kind, template }) => {
    const { spec } = template

    it("has limits, requests and a container without rights", () => {
      for (const resource of ["cpu", "memory"]) {
        expect(container.resources?.limits).toHaveProperty(resource)
        expect(container.resources?.requests).toHaveProperty(resource)
      }
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } })
      expect(spec.securityContext?.["runAsUser"]).toBeGreaterThan(0)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      })
    })

    it("has neither a token nor variables of other Services", () => {
      expect([spec.automountServiceAccountToken, spec.enableServiceLinks]).toEqual([false, false])
    })

    it("has an image that the kustomization names", () => {
      expect(kustomization.images.map(({ name }) => name)).toContain(container.image)
    })

    it("has probes of its own port, and a budget that selects its pods, if it serves", () => {
      if (kind === "Job") return expect(container.ports).toBeUndefined()
      const ports = (container.ports ?? []).map(({ name }) => name)
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
        expect(ports).toContain(probe?.httpGet?.port ?? probe?.tcpSocket?.port)
      }
      const { labels } = template.metadata
      const budgets = resources.filter(
        (resource) =>
          resource.kind === "PodDisruptionBudget" && selects(resource.spec?.selector?.matchLabels ?? {}, labels),
      )
      expect(budgets).toHaveLength(1)
      for (const { labelSelector } of spec.topologySpreadConstraints ?? []) {
        expect(selects(labelSelector.matchLabels, labels)).toBe(true)
      }
      expect(spec.topologySpreadConstraints?.length).toBeGreaterThan(0)
    })

    it("is selected by a policy for what it receives and one for what it sends", () => {
      const policies = resources.filter(
        ({ kind: type, spec: policy }) =>
          type === "NetworkPolicy" && selects(policy?.podSelector?.matchLabels ?? {}, template.metadata.labels),
      )
      expect(policies.flatMap((policy) => policy.spec?.policyTypes ?? []).toSorted()).toEqual(["Egress", "Ingress"])
    })
  },
)

describe("the processes", () => {
  it("have options and variables of the command", () => {
    expect(Object.keys(settings).filter((name) => !variables.includes(name))).toEqual([])
    const options = processes.flatMap(({ container }) => (container.args ?? []).filter((word) => word.startsWith("--")))
    const variableOf = (option: string) => `COUNTERSIGN_${option.slice(2).replaceAll("-", "_").toUpperCase()}`
    // The form of the output is no setting.
    expect(options.filter((option) => option !== "--json" && !variables.includes(variableOf(option)))).toEqual([])
    expect(options.length).toBeGreaterThan(5)
  })

  it("take settings and secrets from the same places", () => {
    expect(processes.map(({ name }) => name).toSorted()).toEqual([
      "countersign-api",
      "countersign-migrate",
      "countersign-worker",
    ])
    for (const { container } of processes) {
      expect(container.envFrom).toEqual([
        { configMapRef: { name: "countersign-settings" } },
        { secretRef: { name: "countersign-secrets" } },
      ])
    }
  })

  it("listen on the port that probes, policies and the Service reach", () => {
    const serving = processes.filter(({ container }) => container.args?.[0] === "serve")
    expect(serving.map(({ container }) => optionOf(container.args ?? [], "--role"))).toEqual(["api", "worker"])
    for (const { container } of serving) {
      expect(container.ports).toEqual([
        { name: "http", containerPort: Number(optionOf(container.args ?? [], "--port")) },
      ])
      expect(optionOf(container.args ?? [], "--host")).toBe("0.0.0.0")
      expect(container.startupProbe?.httpGet?.path).toBe("/healthz")
      expect(container.livenessProbe?.httpGet?.path).toBe("/healthz")
      expect(container.readinessProbe?.httpGet?.path).toBe("/readyz")
    }
    expect(named("Service", "countersign-api").spec?.ports?.map(({ targetPort }) => targetPort)).toEqual(["http"])
    const ingress = named("NetworkPolicy", "countersign-requests").spec?.ingress ?? []
    expect(ingress.flatMap(({ ports = [] }) => ports.map(({ port }) => port))).toEqual(["http"])
  })

  it("have the time to finish requests and jobs after their pods have left the Service", () => {
    // The server's own end of running requests, `graceMillis` of NodeServer.ts.
    const requestsSeconds = 10
    const jobsSeconds = workerLimits.finishMillisMax / 1000
    for (const { container, template } of processes.filter(({ kind }) => kind === "Deployment")) {
      const preStop = container.lifecycle?.preStop.sleep.seconds ?? 0
      expect(preStop).toBeGreaterThanOrEqual(5)
      expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        preStop + requestsSeconds + jobsSeconds + 5,
      )
    }
  })

  it("are at least two each, and the autoscaler alone sets the number of those that answer", () => {
    const { spec } = named("HorizontalPodAutoscaler", "countersign-api")
    expect([spec?.minReplicas, spec?.scaleTargetRef]).toMatchObject([
      2,
      { kind: "Deployment", name: "countersign-api" },
    ])
    expect(named("Deployment", "countersign-api").spec?.replicas).toBeUndefined()
    expect(named("Deployment", "countersign-worker").spec?.replicas).toBeGreaterThanOrEqual(2)
  })

  it("only check the schema, which the job migrates, and reach the server beside the pooler", () => {
    expect(settings).toMatchObject({ COUNTERSIGN_MIGRATE: "check", COUNTERSIGN_MODE: "live" })
    const pooler = new URL(settings["COUNTERSIGN_STORE"] ?? "")
    expect([pooler.hostname, pooler.port]).toEqual(["countersign-pooler", "6432"])
    expect(new URL(settings["COUNTERSIGN_STORE_DIRECT"] ?? "").searchParams.get("sslmode")).toBe("verify-full")
  })
})

describe("the pooler", () => {
  const ini = named("ConfigMap", "countersign-pooler").data?.["pgbouncer.ini"] ?? ""
  const entryOf = (name: string) => new RegExp(`^${name} = (.*)$`, "mu").exec(ini)?.[1]

  it("lends sessions for a transaction, on the port of its Service", () => {
    expect([entryOf("pool_mode"), entryOf("server_tls_sslmode")]).toEqual(["transaction", "verify-full"])
    expect(named("Service", "countersign-pooler").spec?.ports).toEqual([
      { name: "postgres", port: Number(entryOf("listen_port")), targetPort: "postgres" },
    ])
  })

  it("serves the server and the database of the other processes", () => {
    const direct = new URL(settings["COUNTERSIGN_STORE_DIRECT"] ?? "")
    const database = direct.pathname.slice(1)
    expect(entryOf(database)).toBe(`host=${direct.hostname} port=${direct.port} dbname=${database}`)
    expect(new URL(settings["COUNTERSIGN_STORE"] ?? "").pathname).toBe(`/${database}`)
  })

  it("takes the ten connections of every process at the largest number", () => {
    const { spec } = named("HorizontalPodAutoscaler", "countersign-api")
    expect(Number(entryOf("max_client_conn"))).toBeGreaterThanOrEqual(10 * (10 + (spec?.minReplicas ?? 0)))
  })
})
