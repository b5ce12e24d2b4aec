import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pagePolicy } from '@draftshelf/contract/access/page';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Operator, signIn } from '../../seed/operator.ts';
import { copySources, type DevProcess, startDev } from '../../support/dev-process.ts';
import { ownPort } from '../../support/own-port.ts';

const accessKey = 'a key of dev mode';
let root: string;
let dev: DevProcess;
let operator: Operator;

beforeAll(async () => {
  root = await copySources();
  dev = await startDev(root, { port: await ownPort(), accessKey });
  operator = await signIn(dev.origin, accessKey);
});
afterAll(async () => {
  await dev?.stop();
  await rm(root, { recursive: true, force: true });
});

/** Replaces a text of a source file; returns a function that puts it back. */
async function edit(file: string, from: string, to: string): Promise<() => Promise<void>> {
  const path = join(root, file);
  const before = await readFile(path, 'utf8');
  expect(before).toContain(from);
  await writeFile(path, before.replace(from, to));
  return () => writeFile(path, before);
}

/** Reads without a pause, as the polls of open tabs do; the returned function ends that and has what failed. */
function keepReading(): () => Promise<unknown[]> {
  const ending = new AbortController();
  const read = async () => {
    const failures: unknown[] = [];
    while (!ending.signal.aborted) {
      const failure = await fetch(`${dev.origin}/api/health`).then(async (reply) => {
        const text = await reply.text();
        return reply.ok && text !== '' ? null : `${reply.status} ${text}`;
      }, String);
      if (failure !== null) failures.push(failure);
    }
    return failures;
  };
  const readers = Array.from({ length: 8 }, read);
  return async () => {
    ending.abort();
    return (await Promise.all(readers)).flat();
  };
}

/** Uploads a product without a price. */
async function withoutPrice() {
  const id = await operator.importText('Title,Price\nTeapot,\n', 'teapot.csv');
  const { warningProducts, errorProducts } = await operator.read(id);
  return { warningProducts, errorProducts };
}

test('the page comes from Vite and differs from production by the nonce of one script', async () => {
  const page = await fetch(dev.origin);
  const policy = page.headers.get('content-security-policy') ?? '';
  const [, scriptNonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
  expect(policy).toBe(pagePolicy({ scriptNonce }));
  expect(policy.replace(` 'nonce-${scriptNonce}'`, '')).toBe(pagePolicy());
  const html = await page.text();
  expect(html).toContain(`<script type="module" nonce="${scriptNonce}">`);
  expect(html).toContain('/@vite/client');
});

test('addresses of photos lead to the api', async () => {
  const photo = `${dev.origin}/draftshelf/uploads/${randomUUID()}`;
  expect((await fetch(photo)).status).toBe(401);
  const reply = await fetch(photo, { method: 'PUT', body: 'a photo' });
  expect(await reply.json()).toMatchObject({ code: 'upload_expired' });
});

test('sources are served, files of the data directory are not', async () => {
  const status = async (path: string) => (await fetch(`${dev.origin}/@fs${path}`)).status;
  expect(await status(join(root, 'packages/domain/src/base/gtin.ts'))).toBe(200);
  expect(await status(join(dev.env.DATA_DIR, 'secrets/session-secret'))).toBe(403);
});

test('a changed rule of a package restarts the apps that load it and applies to the next file', async () => {
  expect(await withoutPrice()).toEqual({ warningProducts: 1, errorProducts: 0 });
  const endReading = keepReading();
  const undo = await edit(
    'packages/domain/src/review/row-rule.ts',
    "? 'warning' : 'error'",
    "? 'error' : 'error'",
  );
  // The folder worker compares the rows of lists from addresses.
  for (const app of ['api', 'parse-worker', 'enrich-worker', 'push-worker', 'folder-worker'])
    await dev.says(`${app} runs again`);
  expect(await withoutPrice()).toEqual({ warningProducts: 0, errorProducts: 1 });
  await undo();
  await dev.says('parse-worker runs again', 2);
  await dev.says('api runs again', 2);
  expect(await endReading()).toEqual([]);
  // They do not load it.
  expect(dev.output()).not.toMatch(/simulator runs again/);
  expect(await withoutPrice()).toEqual({ warningProducts: 1, errorProducts: 0 });
});

test('an app with a syntax error waits for the next change, and only that app', async () => {
  const undo = await edit(
    'apps/parse-worker/src/parse-chunk.ts',
    'export async function',
    'export function await',
  );
  await dev.says('parse-worker ended with code 1 before it was ready; it waits for a change of its files');
  await undo();
  await dev.says('parse-worker runs again', 3);
  expect(dev.output().split('api runs again')).toHaveLength(3);
  expect(await withoutPrice()).toEqual({ warningProducts: 1, errorProducts: 0 });
});
