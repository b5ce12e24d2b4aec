import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { appNodeArgs, appNodeEnv } from './launch.ts';

const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

const [compose, example, dockerfile, manifest, bootstrap] = await Promise.all(
  ['docker-compose.yml', '.env.example', 'infra/Dockerfile', 'package.json', 'scripts/bootstrap.mjs'].map(
    read,
  ),
);

describe('the containers', () => {
  test('.env.example has every variable of docker-compose.yml, and no other', () => {
    const asked = new Set(all(compose ?? '', /\$\{([A-Z\d_]+)/g));
    asked.add('COMPOSE_PROFILES'); // used by compose itself
    expect(all(example ?? '', /^([A-Z\d_]+)=/gm).toSorted()).toEqual([...asked].toSorted());
  });

  test('.env.example contains no secret', () => {
    const required = all(compose ?? '', /\$\{([A-Z\d_]+):\?/g).filter((name) => name !== 'SHOPIFY_STORE_URL');
    expect(required.length).toBeGreaterThan(0);
    for (const name of required) expect(example).toContain(`\n${name}=\n`);
  });

  test('the image has the Node and the pnpm of the workspace', () => {
    const node = JSON.parse(manifest ?? '').devDependencies.node;
    const [pnpm] = all(bootstrap ?? '', /pnpmVersion = '([\d.]+)'/g);
    expect(all(dockerfile ?? '', /^FROM node:([\d.]+)-/gm)).toEqual([node, node]);
    expect(all(dockerfile ?? '', /pnpm@([\d.]+)/g)).toEqual([pnpm]);
  });

  test('the image runs Node as npm start does', () => {
    const env = { NODE_OPTIONS: appNodeArgs.join(' '), ...appNodeEnv };
    const root = fileURLToPath(new URL('..', import.meta.url));
    const written = Object.entries(env).map(([name, value]) => `${name}="${value.replace(root, '/app/')}"`);
    expect(dockerfile).toContain(`\nENV ${written.join(' ')}\n`);
  });

  test('our own image is built here and never pulled from a registry', () => {
    const app = /^x-app: &app\n((?: .*\n)+)/m.exec(compose ?? '')?.[1];
    expect(app).toContain('  image: draftshelf:local\n');
    expect(app).toContain('  pull_policy: never\n');
    expect(all(compose ?? '', /^ +(build):$/gm)).toHaveLength(1);
  });

  test('every image has a version', () => {
    const images = all(compose ?? '', /^ +image: (\S+)$/gm);
    expect(images.length).toBe(4);
    for (const image of images) expect(image).toMatch(/:(local|[\w.-]*\d[\w.-]*)$/);
  });
});
