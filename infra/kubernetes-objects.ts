import { z } from 'zod';

// The parts of Kubernetes objects that ours use, as strict schemas: a misspelt or unknown field is an error.
// They were compared once with the JSON schemas of Kubernetes 1.34, KEDA and the Prometheus operator.

const Name = z.string().regex(/^[a-z\d]([-a-z\d]*[a-z\d])?$/);
const Labels = z.record(z.string().regex(/^[\w.-]+(\/[\w.-]+)?$/), z.string().max(63));
const meta = { labels: Labels.optional() };
const Meta = z.strictObject({ name: Name, namespace: z.literal('draftshelf'), ...meta });
const Count = z.int().min(0);
const Port = z.union([z.int().min(1).max(65_535), Name]);
const Quantity = z.string().regex(/^\d+(m|Mi|Gi)?$/);
const Amounts = z.strictObject({ cpu: Quantity, memory: Quantity });
const Storage = z.strictObject({ storage: Quantity });

const Probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith('/'), port: Port }),
  periodSeconds: Count.min(1),
  timeoutSeconds: Count.min(1).optional(),
  failureThreshold: Count.min(1),
});
const FromSecret = z.strictObject({
  secretKeyRef: z.strictObject({ name: Name, key: z.string(), optional: z.boolean().optional() }),
});
const Env = z.union([
  z.strictObject({ name: z.string(), valueFrom: FromSecret }),
  z.strictObject({ name: z.string(), value: z.string() }),
]);
const Container = z.strictObject({
  name: Name,
  image: z.string().regex(/^[\w./-]+:[\w.-]+$/),
  command: z.array(z.string()).min(1),
  env: z.array(Env),
  envFrom: z.array(z.strictObject({ configMapRef: z.strictObject({ name: Name }) })).optional(),
  ports: z.array(z.strictObject({ name: Name, containerPort: z.int() })).optional(),
  resources: z.strictObject({ requests: Amounts, limits: Amounts }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  lifecycle: z
    .strictObject({ preStop: z.strictObject({ sleep: z.strictObject({ seconds: Count }) }) })
    .optional(),
  volumeMounts: z.array(z.strictObject({ name: Name, mountPath: z.string().startsWith('/') })).optional(),
});
const EmptyDir = z.strictObject({ medium: z.literal('Memory').optional(), sizeLimit: Quantity });
const Volume = z.union([
  z.strictObject({ name: Name, emptyDir: EmptyDir }),
  z.strictObject({ name: Name, persistentVolumeClaim: z.strictObject({ claimName: Name }) }),
]);
const pod = {
  automountServiceAccountToken: z.literal(false),
  enableServiceLinks: z.literal(false),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: Count.min(1),
    fsGroup: Count.optional(),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  containers: z.tuple([Container]),
  volumes: z.array(Volume).optional(),
};
const Selector = z.strictObject({
  matchLabels: Labels,
  matchExpressions: z
    .array(
      z.strictObject({ key: z.string(), operator: z.enum(['In', 'NotIn']), values: z.array(z.string()) }),
    )
    .optional(),
});
const Running = z.strictObject({
  metadata: z.strictObject(meta),
  spec: z.strictObject({ ...pod, terminationGracePeriodSeconds: Count }),
});
const Once = z.strictObject({
  metadata: z.strictObject(meta),
  spec: z.strictObject({ ...pod, restartPolicy: z.enum(['Never', 'OnFailure']) }),
});
const PolicyPorts = z.array(z.strictObject({ port: Port, protocol: z.enum(['TCP', 'UDP']).optional() }));
const Peer = z.strictObject({ ipBlock: z.strictObject({ cidr: z.cidrv4(), except: z.array(z.cidrv4()) }) });
const Namespace = z.strictObject({ namespaceSelector: z.strictObject({ matchLabels: Labels }) });
const Rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  annotations: z.record(z.string(), z.string()),
});

const object = <Kind extends string, Parts extends z.ZodRawShape>(
  apiVersion: string,
  kind: Kind,
  parts: Parts,
) => z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(kind), metadata: Meta, ...parts });

const Deployment = object('apps/v1', 'Deployment', {
  spec: z.strictObject({
    replicas: Count.optional(),
    strategy: z.strictObject({ type: z.literal('Recreate') }).optional(),
    selector: Selector,
    template: Running,
  }),
});
export type Deployment = z.infer<typeof Deployment>;
const Job = object('batch/v1', 'Job', {
  spec: z.strictObject({ backoffLimit: Count, ttlSecondsAfterFinished: Count, template: Once }),
});

/** An object of the rendered files. */
export const KubernetesObject = z.discriminatedUnion('kind', [
  Deployment,
  Job,
  object('v1', 'ConfigMap', { data: z.record(z.string(), z.string()) }),
  object('v1', 'PersistentVolumeClaim', {
    spec: z.strictObject({
      accessModes: z.array(z.enum(['ReadWriteOnce', 'ReadWriteMany'])),
      resources: z.strictObject({ requests: Storage }),
    }),
  }),
  object('v1', 'Service', {
    spec: z.strictObject({
      selector: Labels,
      ports: z.array(z.strictObject({ name: Name, port: z.int(), targetPort: Port })),
    }),
  }),
  object('networking.k8s.io/v1', 'Ingress', {
    spec: z.strictObject({
      tls: z.array(z.strictObject({ hosts: z.array(z.string()), secretName: Name })),
      rules: z.array(
        z.strictObject({
          host: z.string(),
          http: z.strictObject({
            paths: z.array(
              z.strictObject({
                path: z.string(),
                pathType: z.enum(['Prefix', 'Exact']),
                backend: z.strictObject({
                  service: z.strictObject({ name: Name, port: z.strictObject({ name: Name }) }),
                }),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
  object('policy/v1', 'PodDisruptionBudget', {
    spec: z.strictObject({ minAvailable: Count, selector: Selector }),
  }),
  object('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: z.strictObject({
      podSelector: Selector,
      policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
      ingress: z
        .array(z.strictObject({ from: z.array(Namespace).optional(), ports: PolicyPorts }))
        .optional(),
      egress: z.array(z.strictObject({ to: z.array(Peer).optional(), ports: PolicyPorts })).optional(),
    }),
  }),
  object('keda.sh/v1alpha1', 'TriggerAuthentication', {
    spec: z.strictObject({
      secretTargetRef: z.array(
        z.strictObject({ parameter: z.literal('connection'), name: Name, key: z.string() }),
      ),
    }),
  }),
  object('keda.sh/v1alpha1', 'ScaledObject', {
    spec: z.strictObject({
      scaleTargetRef: z.strictObject({ name: Name }),
      minReplicaCount: Count.min(1),
      maxReplicaCount: Count.min(1),
      pollingInterval: Count.min(1),
      cooldownPeriod: Count,
      triggers: z.tuple([
        z.strictObject({
          type: z.literal('postgresql'),
          metadata: z.strictObject({ query: z.string(), targetQueryValue: z.string().regex(/^\d+$/) }),
          authenticationRef: z.strictObject({ name: Name }),
        }),
      ]),
    }),
  }),
  object('monitoring.coreos.com/v1', 'PodMonitor', {
    spec: z.strictObject({
      selector: Selector,
      podMetricsEndpoints: z.array(
        z.strictObject({ port: Name, path: z.string(), interval: z.string().regex(/^\d+s$/) }),
      ),
    }),
  }),
  object('monitoring.coreos.com/v1', 'PrometheusRule', {
    spec: z.strictObject({
      groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Rule) })),
    }),
  }),
]);
export type KubernetesObject = z.infer<typeof KubernetesObject>;
