import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findViolations, floors, roomsOn } from './architecture.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'draftshelf-architecture-'));
});

afterEach(() => rmSync(root, { recursive: true }));

function plant(file: string, content: string): string[] {
  const at = path.join(root, file);
  mkdirSync(path.dirname(at), { recursive: true });
  writeFileSync(at, content);
  return findViolations(root);
}

test.each([
  ['packages/core/src/reading/take-file.ts', `import { remove } from '@draftshelf/object-storage/objects';`],
  ['packages/queues/src/a.ts', `import { x } from '@draftshelf/core/work/chunks';`],
  ['packages/queues/src/a.ts', `import { x } from './b.ts';`],
  ['packages/core/src/operate/a.ts', `import { x } from '../review/search/b.ts';`],
  ['packages/core/src/review/a.ts', `import { x } from '../push/b.ts';`],
  ['packages/core/src/access/a.test.ts', `import { x } from '../push/b.ts';`],
  ['apps/api/src/build-api.ts', `import { x } from './push/b.ts';`],
  ['packages/domain/src/a.test.ts', `import { readFileSync } from 'node:fs';`],
  ['apps/web/src/features/a/b.ts', `import { x } from '../import/index.ts';`],
  ['apps/web/src/features/a/b.ts', `const load = () => ${'import'}('../import/plan/c.ts');`],
  ['apps/web/src/features/import/index.ts', `export { x } from './page/c.ts';`],
  ['apps/web/vite.config.ts', `import path from 'node:path';`],
  ['packages/queues/src/a.ts', `import { Queue } from 'bullmq';`],
  ['tests/support/a.ts', `import { Redis } from 'ioredis';`],
  ['packages/core/src/a.test.ts', `import net from 'node:net';`],
  [
    'packages/core/src/imports/imports.ts',
    `db.updateTable('imports').set({ status: to }).where('id', '=', id)`,
  ],
  ['packages/core/src/a.ts', `db.updateTable('imports').set({ open_chunks: 0 }).where('status', '=', s)`],
  ['packages/core/src/a.ts', 'sql`update imports set failed = 1 where status <> 2`'],
  ['apps/web/src/a.tsx', `import { type Button, Text } from '@mantine/core';`],
  [
    'apps/web/src/features/a/a-page.tsx',
    'export function Component() {}\n\nComponent.loader = loaderOf(reads);',
  ],
  ['apps/web/src/ui/later.tsx', '<Suspense fallback={meanwhile}><Part {...props} /></Suspense>'],
  ['apps/web/src/ui/basics.tsx', `import { Button as LibraryButton } from '@mantine/core';`],
  ['packages/csv/src/a.ts', `const text = "as in from '@draftshelf/api/x'";`],
  ['packages/core/src/a.ts', `sql\`select \${rows.map((one) => storableJson(one))}::json\``],
  ['packages/core/src/a.ts', `sql\`select rows.cells::json, \${ids}::int[]\``],
  ['packages/domain/src/a.ts', 'const key = JSON.stringify([a, b]);'],
  ['packages/core/src/a.ts', 'const changes = { deletion_began_at: sql`now()` };'],
  ['packages/domain/src/a.test.ts', `await db.selectFrom('rows').execute()`],
  ['apps/web/src/a.ts', 'const nowMs = Date.now();'],
  ['packages/core/src/connection/a.ts', `import pg from 'pg';\nconst pool = new pg.Pool({});`],
  ['tests/support/a.ts', `import pg from 'pg';\nconst client = new pg.Client({});`],
  ['packages/domain/src/a.ts', `/** ${'a'.repeat(113)} */\nconst long = '${'a'.repeat(120)}';`],
])('%s may hold: %s', (file, source) => {
  expect(plant(file, source)).toEqual([]);
});

test.each([
  [
    'packages/domain/src/a.ts',
    `import type { Kysely } from '@draftshelf/core/connection/database';`,
    'no package',
  ],
  [
    'packages/core/src/review/a.ts',
    `import { x } from '../operate/b.ts';`,
    'review is not above operate in packages/core',
  ],
  [
    'packages/core/src/imports/a.ts',
    `import { x } from '../access/b.ts';`,
    'imports is not above access in packages/core',
  ],
  ['packages/core/src/new/a.ts', `import { x } from '../push/b.ts';`, 'the room new'],
  [
    'apps/web/src/ui/a.ts',
    `import { x } from '../features/import/index.ts';`,
    'ui is not above features in apps/web',
  ],
  ['apps/web/src/features/a/b.ts', `import { x } from '../../app/c.ts';`, 'features is not above app'],
  ['apps/web/src/features/a/b.ts', `import { x } from '../import/plan/c.ts';`, 'only through its index.ts'],
  ['apps/web/src/app/a.ts', `import { x } from '../features/import/plan/c.ts';`, 'only through its index.ts'],
  [
    'apps/web/src/features/import/plan/a.ts',
    `import { x } from '../rows/c.ts';`,
    'plan is not above rows in apps/web/src/features/import',
  ],
  ['packages/domain/src/a.ts', `import {\n  a,\n  b,\n} from 'node:crypto';`, 'no Node built-in'],
  ['packages/csv/src/a.ts', `import 'fs/promises';`, 'no Node built-in'],
  ['packages/csv/src/a.ts', `export * from '@draftshelf/domain/base/money';`, 'no package'],
  ['apps/api/src/a.ts', `import { b } from '../../push-worker/src/b.ts';`, 'must not leave apps/api'],
  [
    'apps/enrich-worker/src/a.ts',
    `const a = await ${'import'}('@draftshelf/shopify/client');`,
    'may import only',
  ],
  ['apps/parse-worker/src/a.ts', `import { a } from '@draftshelf/contract/review/rows';`, 'may import only'],
  [
    'packages/core/package.json',
    `{"dependencies":{"@draftshelf/queues":"workspace:*"}}`,
    'may not import it',
  ],
  ['packages/csv/package.json', `{"dependencies":{"fast-csv":"^5.0.0"}}`, 'versions are exact'],
  ['packages/util/src/a.ts', '', 'is not in the table'],
  ['apps/simulators/x/src/a.ts', '', 'is not in the table'],
  ['apps/simulators/store/src/a.ts', `import { b } from '@draftshelf/domain/b';`, 'may import only'],
  ['apps/api/src/a.ts', `import type { Job } from 'bullmq';`, 'known to packages/queues only'],
  ['apps/api/package.json', `{"dependencies":{"ioredis":"6.0.0"}}`, 'known to packages/queues only'],
  ['packages/core/src/a.ts', `import { request } from 'node:https';`, 'wait for nothing else'],
  ['packages/core/src/a.ts', `import { Client } from 'minio';`, 'wait for nothing else'],
  ['packages/core/src/a.ts', `const answer = await fetch(url);`, 'wait for nothing else'],
  ['packages/sources/src/a.ts', `const answer = await fetch(url);`, 'unpacks any reply'],
  ['packages/core/src/a.ts', `import { x } from '@draftshelf/queues/relay';`, 'may import only'],
  [
    'packages/core/src/a.ts',
    `import { remove } from '@draftshelf/object-storage/objects';`,
    'wait for object storage',
  ],
  ['packages/core/src/a.ts', `import { x } from '@draftshelf/core/review/edits';`, 'may import only'],
  [
    'packages/core/src/a.ts',
    `db.updateTable('imports')\n.set({ version, status: 'failed' }).where('id', '=', id)`,
    'only moveStatus',
  ],
  ['packages/core/src/a.ts', "sql`update imports set error_count = 0, status = 'failed'`", 'only moveStatus'],
  ['apps/api/src/a.ts', 'sql`select 1 from imports`', 'only packages/core has SQL'],
  ['packages/queues/src/a.ts', `await db.updateTable('chunks').set({ total })`, 'only packages/core has SQL'],
  [
    'packages/core/src/imports/imports.ts',
    `db.updateTable('imports').set({ status }).where(a);\ndb.updateTable('imports').set({ status }).execute()`,
    'only moveStatus',
  ],
  [
    'apps/api/src/a.ts',
    `import { setProduct } from '@draftshelf/shopify/products';`,
    'only packages/publishing',
  ],
  ['packages/core/src/a.ts', 'const text = JSON.stringify(value);', 'made by storableJson'],
  [
    'apps/web/src/features/a/a-page.tsx',
    'export const loader = loaderOf(reads);',
    'exports more than Component',
  ],
  ['apps/web/src/features/a/a.tsx', 'const a = <img src={url} />;', 'only apps/web/src/ui/picture.tsx'],
  ['apps/api/src/a.ts', 'const until = Date.now() + waitMsMax;', 'measured with performance.now()'],
  [
    'packages/queues/src/a.ts',
    `import { sql } from 'kysely';\nconst text = JSON.stringify(value);`,
    'made by storableJson',
  ],
  ['packages/core/src/a.ts', `sql\`select \${text}::jsonb\``, 'storableJson has not made'],
  ['packages/core/src/a.ts', `sql\`select * from json_to_recordset(\${text})\``, 'storableJson has not made'],
  [
    'packages/queues/src/a.ts',
    `import pg from 'pg';\nconst client = new pg.Client({});`,
    'only openDatabase guards',
  ],
  [
    'packages/core/src/a.ts',
    `import { from } from 'pg-copy-streams';`,
    'only packages/core/src/reading/copy-rows.ts and packages/core/src/operate/backup/copy-table.ts do',
  ],
  [
    'apps/web/src/features/a/b.tsx',
    "const A = lazily(() => import('./a.tsx').then((chunk) => chunk.A));",
    'use later or overlay',
  ],
  ['apps/web/src/features/a/b.tsx', '<Suspense fallback={null}><A /></Suspense>', 'use later or overlay'],
  [
    'apps/web/src/features/a/b.tsx',
    '<Button onClick={() => read.refetch()}>Try Again</Button>',
    'use Read or ReadFailure',
  ],
  ['apps/web/src/features/a/b.tsx', `import { Table, Text } from '@mantine/core';`, 'use Table of ui'],
  ['apps/web/src/a.tsx', `import { Text, Button } from '@mantine/core';`, 'keep the focus'],
  ['apps/web/src/a.tsx', `import {\n  ActionIcon as Icon,\n} from '@mantine/core';`, 'keep the focus'],
  ['packages/domain/src/a.ts', `\n/** ${'a'.repeat(114)} */`, '120 is the limit'],
  ['tests/support/a.ts', `const a = 1;\n  // ${'a'.repeat(116)}`, '120 is the limit'],
  ['scripts/a.mjs', `/**\n * ${'a'.repeat(118)}\n */`, '120 is the limit'],
])('%s may not hold: %s', (file, source, reason) => {
  const found = plant(file, source);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(reason);
  const unknownFolder = /^(packages\/util|apps\/simulators\/x)(?=\/)/.exec(file)?.[0];
  expect(found[0]?.startsWith(unknownFolder ?? file)).toBe(true);
});

test('core has at most 14 rooms', () => {
  expect(floors['packages/core']?.flatMap(roomsOn).length).toBeLessThanOrEqual(14);
});

test('modules that import each other in a circle are found', () => {
  plant('packages/csv/src/a.ts', `import { b } from './b.ts';`);
  plant('packages/csv/src/b.ts', `import { c } from '@draftshelf/csv/c';`);
  const found = plant('packages/csv/src/c.ts', `export type { A } from './a.ts';`);
  expect(found.filter((one) => one.includes('imports itself'))).toEqual([
    'packages/csv/src/a.ts: imports itself by packages/csv/src/b.ts, packages/csv/src/c.ts, packages/csv/src/a.ts',
  ]);
});

test('a name that two modules of a package export is found, and the name of a schema and its type is not', () => {
  plant('packages/csv/src/a.ts', 'export const readCells = 1;');
  plant('packages/domain/src/a.ts', 'export const readCells = 1;\nexport type Settings = {};');
  plant('packages/domain/src/a-schema.ts', 'export const Settings = z.object({});');
  expect(plant('packages/csv/src/b.ts', 'export async function readCells() {}')).toEqual([
    'packages/csv/src/b.ts: exports readCells, but so does packages/csv/src/a.ts: a name is for one thing',
  ]);
});
