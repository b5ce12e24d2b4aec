import { readFile } from 'node:fs/promises';
import { conditionIds } from '@draftshelf/domain/conditions';
import { expect } from 'vitest';
import { productCsv, storedImport, until } from '../../support/fixture.ts';
import type { Stack } from '../../support/stack.ts';
import { testOnStack } from '../../support/test.ts';

/** With port 0 each process has one of its own and logs it. */
const test = testOnStack({
  names: ['api', 'parse-worker'],
  env: { METRICS_PORT: '0', LOG_LEVEL: 'info' },
});

const monitoring = (name: string) => new URL(`../../../infra/monitoring/${name}`, import.meta.url);

async function addressOf(stack: Stack, name: 'api' | 'parse-worker'): Promise<string> {
  let port: number | undefined;
  await until(`${name} serves metrics`, () => {
    const line = stack
      .process(name)
      .output()
      .split('\n')
      .find((text) => text.includes('"msg":"metrics"'));
    port = line === undefined ? undefined : (JSON.parse(line) as { port: number }).port;
    return port !== undefined;
  });
  return `http://127.0.0.1:${port}`;
}

const scrape = async (address: string) => (await fetch(`${address}/metrics`)).text();
/** The lines of a scrape that have a value. */
const series = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const nameIn = (line: string) => /^[a-z_\d]+/i.exec(line)?.[0] ?? '';

/** The names of metrics in an expression. */
const namesIn = (expr: string) => expr.match(/\b(?:draftshelf|nodejs|process)_[a-z_\d]+/g) ?? [];

test('rules and dashboard name only metrics that a scrape has, and labels are words', async ({
  stack,
  client,
}) => {
  const { id } = await storedImport(stack, { csv: productCsv(3), filename: 'secret-name.csv' });
  const status = async () => (await client.call('GET', `/api/jobs/${id}?rows=0`)).body as { status: string };
  await until('it is processed', async () => (await status()).status === 'processed');
  const [api, worker] = [await addressOf(stack, 'api'), await addressOf(stack, 'parse-worker')];
  expect(await (await fetch(`${worker}/healthz`)).text()).toBe('ok\n');
  expect((await fetch(`${stack.apiUrl}/metrics`)).headers.get('content-type')).not.toMatch(/text\/plain/);
  let texts = ['', ''];
  await until('all is counted', async () => {
    texts = [await scrape(api), await scrape(worker)];
    return (
      (texts[0] ?? '').includes('draftshelf_imports{status="processed"} 1') &&
      /draftshelf_chunks_total\{stage="parse",kind="work",outcome="done"\} 1/.test(texts[1] ?? '')
    );
  });
  for (const text of texts) {
    expect(series(text).length).toBeLessThanOrEqual(1_500);
    expect(text).not.toMatch(new RegExp(`${id}|secret-name`));
  }
  expect(series(texts[0] ?? '').filter((line) => line.startsWith('draftshelf_condition{'))).toHaveLength(
    conditionIds.length,
  );

  const scraped = new Set(texts.flatMap(series).map(nameIn));
  const rules = await readFile(monitoring('rules.yml'), 'utf8');
  const dashboard = JSON.parse(await readFile(monitoring('dashboard.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const exprs = [
    ...[...rules.matchAll(/^ *expr: (.+)$/gm)].map(([, expr = '']) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const named = exprs.flatMap(namesIn);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !scraped.has(name))).toEqual([]);
});
