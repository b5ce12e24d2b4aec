import { readFile } from 'node:fs/promises';
import { type EnvReader, listVariablesReadBy } from '@draftshelf/runtime/env-catalog';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type ComposeService, mergeComposeFiles } from './compose-files.ts';
import { prometheusRule, renderedFrom, renderings } from './kubernetes.ts';
import { type Deployment, KubernetesObject } from './kubernetes-objects.ts';

const read = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');
const texts = await Promise.all(renderings.map(({ file }) => read(file)));
const documents = texts.map((text) => parseAllDocuments(text).map((document): unknown => document.toJS()));
const [base = []] = documents.map((all) => all.map((one) => KubernetesObject.parse(one)));
const deployments = new Map(
  base.flatMap((one) => (one.kind === 'Deployment' ? [[one.metadata.name, one]] : [])),
);

const secrets = [
  ...['DATABASE_URL', 'APP_DATABASE_URL', 'REDIS_URL', 'S3_SECRET_KEY', 'ACCESS_KEY', 'SESSION_SECRET'],
  ...[
    'CREDENTIALS_KEY',
    'CREDENTIALS_KEY_OLD',
    'SEALING_KEY',
    'SHOPIFY_ACCESS_TOKEN',
    'SHOPIFY_CLIENT_SECRET',
  ],
  ...['UPCITEMDB_KEY', 'BARCODE_LOOKUP_KEY', 'AI_API_KEY', 'ALERT_WEBHOOK_URL'],
];
const programs = ['api', 'parse-worker', 'enrich-worker', 'push-worker', 'folder-worker', 'keeper'] as const;

async function composeServices(): Promise<Record<string, ComposeService>> {
  const text = await read('../docker-compose.yml');
  const required = [...text.matchAll(/\$\{([A-Z\d_]+):\?/g)].map(([, name = '']) => [name, 'required']);
  return mergeComposeFiles([new URL('../docker-compose.yml', import.meta.url)], Object.fromEntries(required));
}
const services = await composeServices();

test('the rendered files are those of the sources', async () => {
  const head = await renderedFrom();
  for (const text of texts)
    expect(text.startsWith(head), 'node infra/kubernetes-main.ts renders them').toBe(true);
  expect(await read('kubernetes/overlays/monitoring/rules.yaml')).toBe(await prometheusRule());
});

test('each object has only fields that exist, with values of their types', () => {
  const kinds = documents.map((all) => all.map((one) => KubernetesObject.parse(one).kind));
  expect(kinds[0]).toHaveLength(16);
  expect(kinds[1]?.filter((kind) => kind === 'ScaledObject')).toHaveLength(2);
  expect(kinds[2]).toEqual(expect.arrayContaining(['PodMonitor', 'PrometheusRule']));
});

describe('the check finds', () => {
  const all = documents.flat();
  /** Maps whose keys are free. */
  const isFree = (path: string) => /(labels|matchLabels|annotations|selector|data)$/.test(path);

  /** Calls `change` with each mapping and each of its keys, and returns where the check accepts the changed object. */
  function missedBy(change: (mapping: Record<string, unknown>, key: string) => boolean): string[] {
    const missed: string[] = [];
    let tried = 0;
    const visit = (whole: object, value: unknown, path: string) => {
      if (Array.isArray(value)) value.forEach((one, at) => void visit(whole, one, `${path}/${at}`));
      else if (typeof value === 'object' && value !== null) {
        const mapping = value as Record<string, unknown>;
        for (const key of Object.keys(mapping)) {
          const kept = structuredClone(mapping);
          if (change(mapping, key)) {
            tried += 1;
            if (KubernetesObject.safeParse(whole).success) missed.push(`${path}/${key}`);
          }
          for (const one of Object.keys(mapping)) delete mapping[one];
          Object.assign(mapping, kept);
          if (!isFree(`${path}/${key}`) || typeof mapping[key] !== 'object')
            visit(whole, mapping[key], `${path}/${key}`);
        }
      }
    };
    for (const one of structuredClone(all)) visit(one as object, one, '');
    expect(tried).toBeGreaterThan(500);
    return missed;
  }

  test('each misspelt field', () => {
    const misspell = (mapping: Record<string, unknown>, key: string) => {
      mapping[`${key}s`] = mapping[key];
      delete mapping[key];
      return true;
    };
    expect(missedBy(misspell)).toEqual([]);
  });

  test('each value of another type', () => {
    const retype = (mapping: Record<string, unknown>, key: string) => {
      mapping[key] = Array.isArray(mapping[key]) ? { of: 'a list' } : [mapping[key]];
      return true;
    };
    expect(missedBy(retype)).toEqual([]);
  });

  test('numbers as texts, and texts as numbers', () => {
    const swap = (mapping: Record<string, unknown>, key: string) => {
      const value = mapping[key];
      if (typeof value !== 'number' && typeof value !== 'string') return false;
      // A port may be a name.
      if (/port$/i.test(key)) return false;
      mapping[key] = typeof value === 'number' ? `${value}` : 7;
      return true;
    };
    expect(missedBy(swap)).toEqual([]);
  });
});

describe.each(programs)('%s', (name) => {
  const compose = services[name] as ComposeService & Record<string, unknown>;
  const { spec } = (deployments.get(name) as Deployment).spec.template;
  const [container] = spec.containers;
  const reads: string[] = listVariablesReadBy(name as EnvReader);

  test('has command, grace period and limits of docker-compose.yml', () => {
    expect(container.command).toEqual(compose.command);
    expect(`${spec.terminationGracePeriodSeconds}s`).toBe(compose.stop_grace_period);
    const { cpu, memory } = container.resources.limits;
    expect([cpu, memory.replace('Mi', 'm')]).toEqual([String(compose.cpus), compose.mem_limit]);
  });

  test('gets the secrets that docker-compose.yml gives it, and no other', () => {
    const given = container.env.flatMap((one) => ('valueFrom' in one ? one.name : []));
    const inCompose = Object.keys(compose.environment).filter((one) => secrets.includes(one));
    expect(given.toSorted()).toEqual(inCompose.toSorted());
    expect(given.filter((one) => !reads.includes(one))).toEqual([]);
  });

  test('gets what it requires, and what it gets by name it reads', () => {
    const config = base.flatMap((one) => (one.kind === 'ConfigMap' ? Object.keys(one.data) : []));
    expect(config.filter((one) => secrets.includes(one))).toEqual([]);
    const given = [...config, ...container.env.map((one) => one.name)];
    const required = Object.keys(compose.environment).filter(
      (one) =>
        compose.environment[one] !== '' && reads.includes(one) && !['HEALTH_FILE', 'LOG_LEVEL'].includes(one),
    );
    const own = container.env.flatMap((one) => ('value' in one ? one : []));
    expect(own).toEqual(
      own.map(({ name: variable }) => ({ name: variable, value: compose.environment[variable] })),
    );
    // The demo store is only in compose.
    expect(required.filter((one) => !given.includes(one) && one !== 'SHOPIFY_STORE_URL')).toEqual([]);
  });

  test('is not restarted while Postgres is away, for a minute and longer', () => {
    expect(container.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
    expect(container.startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
    const ready =
      name === 'api' ? { path: '/api/ready', port: 'http' } : { path: '/readyz', port: 'metrics' };
    expect(container.readinessProbe?.httpGet).toEqual(ready);
  });
});

test('the ports are those of the configuration', () => {
  const config = base.find((one) => one.kind === 'ConfigMap')?.data;
  for (const { spec } of [...deployments.values()].map((one) => one.spec.template)) {
    const ports = Object.fromEntries(
      (spec.containers[0].ports ?? []).map(({ name, containerPort }) => [name, String(containerPort)]),
    );
    expect(ports.metrics).toBe(config?.METRICS_PORT);
    if ('http' in ports) expect(ports.http).toBe(config?.PORT);
  }
});

test('only the ingress controller reaches the api, and no address of a client is believed unless somebody says whose', () => {
  const policy = base.flatMap((one) => (one.kind === 'NetworkPolicy' ? [one] : []));
  const open = policy.flatMap(({ spec }) => spec.ingress ?? []).filter(({ from }) => from === undefined);
  expect(open.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(['metrics']);
  const config = base.flatMap((one) => (one.kind === 'ConfigMap' ? Object.keys(one.data) : []));
  expect(config).not.toContain('TRUSTED_PROXIES');
});

test('the image has one name and version everywhere', () => {
  const images = documents.flat().flatMap((one) => JSON.stringify(one).match(/"image":"[^"]+"/g) ?? []);
  expect(new Set(images).size).toBe(1);
});

test('every secret that is asked for is in the example, and the overlays change no program', async () => {
  const example = await read('kubernetes/base/secret.example.env');
  const asked = documents.flat().flatMap((one) => [...JSON.stringify(one).matchAll(/"key":"([A-Z_\d]+)"/g)]);
  expect(asked.length).toBeGreaterThan(0);
  for (const [, key] of asked) expect(example).toContain(key);
  const programsOf = (all: unknown[]) =>
    all.map((one) => KubernetesObject.parse(one)).filter(({ kind }) => kind === 'Deployment');
  for (const all of documents) expect(programsOf(all)).toEqual(programsOf(documents[0] ?? []));
});

test('what scales the workers asks the view, and leaves one of each', async () => {
  const scaled = (documents[1] ?? []).map((one) => KubernetesObject.parse(one));
  const targets = scaled.flatMap((one) => (one.kind === 'ScaledObject' ? one.spec : []));
  for (const { scaleTargetRef, minReplicaCount, triggers } of targets) {
    expect(deployments.get(scaleTargetRef.name)?.spec.replicas).toBeUndefined();
    expect(minReplicaCount).toBe(1);
    const stage = scaleTargetRef.name.replace('-worker', '');
    expect(triggers[0].metadata.query).toContain(`from stage_backlog where stage = '${stage}'`);
  }
  expect(parse(await read('kubernetes/overlays/keda/kustomization.yaml')).resources).toContain('../../base');
});
