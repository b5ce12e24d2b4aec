import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { prometheusRule, renderedFrom, renderings } from './kubernetes.ts';

// Renders the files of infra/kubernetes, with kubectl (on Debian: kubernetes-client). Needs no cluster.

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
await writeFile(pathOf('kubernetes/overlays/monitoring/rules.yaml'), await prometheusRule());
const head = await renderedFrom();
for (const { folder, file } of renderings) {
  const rendered = execFileSync('kubectl', ['kustomize', pathOf(folder)], { encoding: 'utf8' });
  await writeFile(pathOf(file), head + rendered);
}
