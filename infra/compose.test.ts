import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { mergeComposeFiles } from './compose-files.ts';
import { appNodeArgs, appNodeEnv } from './launch.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

const [compose, example, dockerfile, nodeLock, manifest, page] = await Promise.all(
  [
    'docker-compose.yml',
    '.env.example',
    'infra/Dockerfile',
    'infra/node/package-lock.json',
    'package.json',
    'docs/PINNED.md',
  ].map(read),
);
/** Values of the variables that docker-compose.yml requires. */
const required = all(compose ?? '', /\$\{([A-Z\d_]+):\?/g).filter((name) => name !== 'SHOPIFY_STORE_URL');
const secrets = Object.fromEntries(required.map((name) => [name, 'a secret of this test']));
const LockedNode = z.object({ version: z.string(), integrity: z.string().startsWith('sha512-') });
/** The Node for each system that is in the lockfile. */
const lockedNodes = () => {
  const { '': _project, ...packages } = JSON.parse(nodeLock ?? '').packages;
  return z.record(z.string(), LockedNode).parse(packages);
};

const newestNode = () =>
  Object.values(lockedNodes())
    .map(({ version }) => version)
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .at(-1);

describe('the containers', () => {
  test('.env.example contains no secret', () => {
    expect(required.length).toBeGreaterThan(0);
    for (const name of required) expect(example).toContain(`\n${name}=\n`);
  });

  test('the image has the Node and the pnpm of the workspace', () => {
    const node = newestNode();
    const [pnpm] = all(manifest ?? '', /"packageManager": "pnpm@([\d.]+)"/g);
    expect(all(dockerfile ?? '', /^FROM node:([\d.]+)-/gm)).toEqual([node, node]);
    expect(all(dockerfile ?? '', /pnpm@([\d.]+)/g)).toEqual([pnpm]);
  });

  test('the image runs Node as npm start does', () => {
    const env = { NODE_OPTIONS: appNodeArgs.join(' '), ...appNodeEnv };
    const written = Object.entries(env).map(([name, value]) => `${name}="${value.replace(root, '/app/')}"`);
    expect(dockerfile).toContain(`\nENV ${written.join(' ')}\n`);
  });

  test('our own image is pulled under its name, or built here and then never pulled', async () => {
    const merged = async (...names: string[]) => {
      const files = names.map((name) => new URL(`../${name}`, import.meta.url));
      const given = { ...secrets, DRAFTSHELF_IMAGE: 'reg.example/shelf', DRAFTSHELF_VERSION: '0.3.0' };
      const services = await mergeComposeFiles(files, given, 'demo');
      return Object.values(services).filter(({ image }) => image === 'reg.example/shelf:0.3.0');
    };
    const pulled = await merged('docker-compose.yml');
    expect(pulled.map(({ build, pull_policy }) => [build, pull_policy])).toEqual(
      pulled.map(() => [undefined, undefined]),
    );
    const built = await merged('docker-compose.yml', 'infra/compose.build.yml');
    expect(built.map(({ pull_policy }) => pull_policy)).toEqual(pulled.map(() => 'never'));
    expect(built.flatMap(({ build }) => build ?? [])).toEqual([
      expect.objectContaining({ dockerfile: 'infra/Dockerfile', target: 'app' }),
    ]);
  });

  test('folder worker and keeper share their network with Postgres, Redis and MinIO only', () => {
    const Services = z.record(z.string(), z.object({ networks: z.array(z.string()).default(['default']) }));
    const services = Services.parse(parse(compose ?? '', { merge: true }).services);
    expect(services['folder-worker']?.networks).toEqual(['folders']);
    const beside = Object.keys(services).filter((name) => services[name]?.networks.includes('folders'));
    expect(beside.toSorted()).toEqual(['folder-worker', 'keeper', 'minio', 'postgres', 'redis']);
    const others = Object.keys(services).filter((name) => !['folder-worker', 'keeper'].includes(name));
    expect(others.filter((name) => !services[name]?.networks.includes('default'))).toEqual([]);
  });

  test('every image has an exact version, which the page of pinned parts names', async () => {
    const files = await Array.fromAsync(
      glob('{docker-compose.yml,infra/{compose.*.yml,Dockerfile}}', { cwd: root }),
    );
    const texts = await Promise.all(files.map(read));
    const images = texts.flatMap((text) => all(text, /^(?: +image:|FROM) ([^\s$]*[.:][^\s$]*)(?: |$)/gm));
    expect(new Set(images).size).toBe(6);
    for (const image of images) {
      // Postgres has no third number.
      expect(image).toMatch(/:(RELEASE\..*Z|v?\d+\.\d+\.\d+(-\w+)*)$|\bpostgres:\d+\.\d+$/);
      expect(page).toContain(`\`${image}\``);
    }
  });
});

test('the Node that runs everything is locked for every system, and the page names each that lags', () => {
  const nodes = Object.entries(lockedNodes());
  expect(nodes).toHaveLength(4);
  const lagging = nodes
    .map(([path, { version }]) => `\`${path.replace('node_modules/', '')}\` ${version}`)
    .filter((one) => !one.endsWith(` ${newestNode()}`));
  const [said = ''] = all(page ?? '', /^Systems that lag: (.*)\.$/gm);
  expect(said.split(', ').toSorted()).toEqual(lagging.toSorted());
});
