/**
 * Validates a resource by the schemas of Kubernetes. They allow unknown fields, which a cluster refuses or drops: a field that the schema's code
 * never reads is one.
 * Source: D-542.
 */
import * as deployment from "kubernetes-models/_schemas/IoK8sApiAppsV1Deployment"
import * as autoscaler from "kubernetes-models/_schemas/IoK8sApiAutoscalingV2HorizontalPodAutoscaler"
import * as job from "kubernetes-models/_schemas/IoK8sApiBatchV1Job"
import * as configMap from "kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap"
import * as namespace from "kubernetes-models/_schemas/IoK8sApiCoreV1Namespace"
import * as service from "kubernetes-models/_schemas/IoK8sApiCoreV1Service"
import * as serviceAccount from "kubernetes-models/_schemas/IoK8sApiCoreV1ServiceAccount"
import * as networkPolicy from "kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy"
import * as budget from "kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget"

const schemas: Readonly<Record<string, { readonly validate: (data: unknown) => boolean }>> = {
  "apps/v1 Deployment": deployment,
  "autoscaling/v2 HorizontalPodAutoscaler": autoscaler,
  "batch/v1 Job": job,
  "networking.k8s.io/v1 NetworkPolicy": networkPolicy,
  "policy/v1 PodDisruptionBudget": budget,
  "v1 ConfigMap": configMap,
  "v1 Namespace": namespace,
  "v1 Service": service,
  "v1 ServiceAccount": serviceAccount,
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Notes the path of each field that is read. */
const watched = <A>(value: A, read: Set<string>, path = ""): A =>
  isObject(value)
    ? new Proxy(value, {
        get: (target, key, receiver) => {
          const at = `${path}/${String(key)}`
          read.add(at)
          return watched(Reflect.get(target, key, receiver), read, at)
        },
      })
    : value

const pathsOf = (value: unknown, path = ""): ReadonlyArray<string> =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => [`${path}/${key}`, ...pathsOf(inner, `${path}/${key}`)])
    : []

/** What a schema's function says of the last value. */
const errorsOf = (validate: object): ReadonlyArray<string> => {
  const found: unknown = Reflect.get(validate, "errors")
  return (Array.isArray(found) ? found : []).map(
    ({ instancePath, keyword, params }) =>
      `${instancePath} is not valid: ${keyword} ${Object.values(params).join(", ")}`,
  )
}

/** Names every problem of a resource. */
export const problemsOfSchema = (resource: {
  readonly apiVersion: string
  readonly kind: string
}): ReadonlyArray<string> => {
  const type = `${resource.apiVersion} ${resource.kind}`
  const schema = schemas[type]
  if (schema === undefined) return [`${type} has no schema here`]
  const read = new Set<string>()
  if (!schema.validate(watched(resource, read))) return errorsOf(schema.validate).map((error) => `${type}${error}`)
  const unknown = pathsOf(resource).filter((path) => !read.has(path))
  return unknown.map((path) => `${type}${path} is no field`)
}
