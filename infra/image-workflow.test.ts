import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');
const text = await read('.github/workflows/image.yml');
const Job = z.object({
  needs: z.union([z.string(), z.array(z.string())]).default([]),
  permissions: z.record(z.string(), z.string()),
  strategy: z.object({ matrix: z.record(z.string(), z.array(z.string())) }).optional(),
  steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
});
const Workflow = z.object({ permissions: z.object({}).strict(), jobs: z.record(z.string(), Job) });
const { jobs } = Workflow.parse(parse(text));
const commands = (name: string) => jobs[name]?.steps.flatMap(({ run }) => run ?? []).join('\n') ?? '';

test('nothing is built or published without a licence', () => {
  expect(commands('licence')).toContain('test -s LICENSE');
  expect(jobs.licence?.permissions).toEqual({ contents: 'read' });
  expect([jobs.build?.needs].flat()).toContain('licence');
  expect([jobs.publish?.needs].flat()).toEqual(['licence', 'build']);
});

test('both images are built for both platforms, with SBOM and provenance', async () => {
  expect(jobs.build?.strategy?.matrix).toEqual({ target: ['app', 'all'], platform: ['amd64', 'arm64'] });
  expect(commands('build')).toMatch(/--sbom=true --provenance=mode=max --push/);
  const dockerfile = await read('infra/Dockerfile');
  const targets = jobs.build?.strategy?.matrix.target?.map((name) => ` AS ${name}\n`) ?? [];
  for (const target of targets) expect(dockerfile).toContain(target);
});

test('no tag is moved but that of the version', () => {
  const tags = [...commands('publish').matchAll(/^join "([^"]+)" (\w+)$/gm)].map(([, tag, of]) => [tag, of]);
  expect(tags).toEqual([
    ['$VERSION', 'app'],
    ['$VERSION-all', 'all'],
  ]);
});

test('actions are pinned by hash, and the only secret is the token of the forge', () => {
  const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^actions\/checkout@[\da-f]{40}$/);
  const secrets = [...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name);
  expect(new Set(secrets)).toEqual(new Set(['GITHUB_TOKEN']));
  // Expressions in a command would be pasted into it: a tag may have any name.
  expect(Object.keys(jobs).filter((name) => commands(name).includes('${{'))).toEqual([]);
});
