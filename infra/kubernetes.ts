import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { sourceHash } from './source-hash.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** What is rendered: the folder of each kustomization, and its file below kubernetes/rendered. */
export const renderings = [
  { folder: 'kubernetes/base', file: 'kubernetes/rendered/base.yaml' },
  { folder: 'kubernetes/overlays/keda', file: 'kubernetes/rendered/keda.yaml' },
  { folder: 'kubernetes/overlays/monitoring', file: 'kubernetes/rendered/monitoring.yaml' },
] as const;

/** The first line of a rendered file, which tells whether it is of these sources. */
export async function renderedFrom(): Promise<string> {
  const hash = await sourceHash(root, ['kubernetes/base', 'kubernetes/overlays']);
  return `# Rendered by node infra/kubernetes-main.ts from sources with the SHA-256 ${hash}\n`;
}

/** The rules of Prometheus as an object of its operator. */
export async function prometheusRule(): Promise<string> {
  const { groups } = parse(await readFile(new URL('monitoring/rules.yml', import.meta.url), 'utf8'));
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'draftshelf' },
    spec: { groups },
  };
  return `# Of infra/monitoring/rules.yml, by node infra/kubernetes-main.ts\n${stringify(rule)}`;
}
