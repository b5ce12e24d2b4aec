import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { conditionIds } from '@draftshelf/domain/operate/conditions';
import { expect } from 'vitest';
import { metricsAddress, readRules } from '../../support/alert-rules.ts';
import { csvForm } from '../../support/api-client.ts';
import { productCsv, storedImport, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { testOnStack } from '../../support/test.ts';

/** With port 0 each process has one of its own and logs it. */
const test = testOnStack({
  names: ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'folder-worker'],
  env: { METRICS_PORT: '0', LOG_LEVEL: 'info' },
});

const dashboardFile = new URL('../../../infra/monitoring/dashboard.json', import.meta.url);

const scrape = async (address: string) => (await fetch(`${address}/metrics`)).text();
/** The lines of a scrape that have a value. */
const series = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const amountOf = (text: string, name: string): number =>
  Number(
    series(text)
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );
const nameIn = (line: string) => /^[a-z_\d]+/i.exec(line)?.[0] ?? '';

/** The names of metrics in an expression. */
const namesIn = (expr: string) => expr.match(/\b(?:draftshelf|nodejs|process)_[a-z_\d]+/g) ?? [];

test.runIf(isLong)(
  'rules and dashboard name only metrics that a scrape has, and labels are words',
  async ({ stack, client }) => {
    const missing = '00000000-0000-4000-8000-000000000000';
    expect((await client.call('GET', `/api/jobs/${missing}`)).status).toBe(404);
    await fetch(`${stack.apiUrl}/login`);
    const login = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"accessKey":"no"}',
    };
    for (let i = 0; i < 2; i += 1)
      expect((await fetch(`${stack.apiUrl}/api/auth/login`, login)).status).toBe(401);
    const { pool } = stack.database;
    await pool.query(`insert into backups values (now() - interval '2 hours', '/b')`);
    const waiting = await storedImport(stack, {
      csv: productCsv(1),
      set: { status: 'uploading', stage: 'push', push_run: 1 },
    });
    await pool.query(`delete from chunks where import_id = $1`, [waiting.id]);
    await pool.query(
      `with run as (insert into runs (import_id, stage, run, started_at) values ($1, 'push', 1, now() - interval '1 hour'))
     insert into chunks (import_id, stage, run, kind, sequence) values ($1, 'push', 1, 'work', 0)`,
      [waiting.id],
    );
    expect((await client.upload(csvForm(productCsv(2).replaceAll('V-', 'U-')))).status).toBe(200);
    await pool.query('analyze imports');
    const { id } = await storedImport(stack, { csv: productCsv(3), filename: 'secret-name.csv' });
    const status = async () =>
      (await client.call('GET', `/api/jobs/${id}?rows=0`)).body as { status: string };
    await until('it is processed', async () => (await status()).status === 'processed');
    const [api, worker] = [
      await metricsAddress(stack.process('api')),
      await metricsAddress(stack.process('parse-worker')),
    ];
    expect(await (await fetch(`${worker}/healthz`)).text()).toBe('ok\n');
    const statusOf = async (options: http.RequestOptions) => {
      const [response] = await once(http.request(`${worker}/metrics`, options).end(), 'response');
      response.resume();
      return response.statusCode;
    };
    expect(await statusOf({ headers: { host: 'evil.example' } })).toBe(403);
    expect(await statusOf({ method: 'POST' })).toBe(405);
    expect((await fetch(`${stack.apiUrl}/metrics`)).headers.get('content-type')).not.toMatch(/text\/plain/);
    let texts = ['', ''];
    const budget = `(available, maximum, restore_rate, measured_at) = (1500, 2000, 0, now())`;
    await until('all is counted', async () => {
      // An answer of the store, which the api tests once a minute, may come in between.
      const budgets = await pool.query(`update store_budgets set ${budget}`);
      expect(budgets.rowCount).toBe(1);
      texts = [await scrape(api), await scrape(worker)];
      return (
        amountOf(texts[0] ?? '', 'draftshelf_store_points') === 1_500 &&
        (texts[0] ?? '').includes('draftshelf_imports{status="processed"} 2') &&
        /draftshelf_chunks_total\{stage="parse",kind="work",outcome="done"\} 2/.test(texts[1] ?? '')
      );
    });
    for (const text of texts) {
      expect(series(text).length).toBeLessThanOrEqual(1_500);
      expect(text).not.toMatch(new RegExp(`${id}|secret-name`));
    }
    expect(series(texts[0] ?? '').filter((line) => line.startsWith('draftshelf_condition{'))).toHaveLength(
      conditionIds.length,
    );

    // Of requests, the pattern of the route and the class of the status.
    const [ofApi = '', ofWorker = ''] = texts;
    expect(amountOf(ofApi, 'draftshelf_uploads_total')).toBe(1);
    expect(amountOf(ofApi, 'draftshelf_logins_refused_total')).toBe(2);
    const responses = 'draftshelf_http_responses_total';
    expect(amountOf(ofApi, `${responses}{method="POST",route="/api/upload",status="2xx"}`)).toBe(1);
    expect(amountOf(ofApi, `${responses}{method="GET",route="/api/jobs/:id",status="4xx"}`)).toBe(1);
    expect(ofApi).toContain(`${responses}{method="GET",route="other"`);
    expect(amountOf(ofApi, 'draftshelf_http_response_seconds_count{route="/api/upload"}')).toBe(1);
    expect(amountOf(ofApi, 'draftshelf_s3_seconds_count{method="PUT",outcome="answered"}')).toBeGreaterThan(
      0,
    );
    expect(
      amountOf(ofWorker, 'draftshelf_s3_seconds_count{method="GET",outcome="answered"}'),
    ).toBeGreaterThan(1);
    expect(amountOf(ofWorker, 'draftshelf_rows_total{stage="parse"}')).toBe(5);
    // An import that no worker has taken.
    expect(amountOf(ofApi, 'draftshelf_backlog_age_seconds{stage="enrich"}')).toBe(0);
    expect(amountOf(ofApi, 'draftshelf_backlog_age_seconds{stage="push"}')).toBeGreaterThan(3_500);
    expect(amountOf(ofApi, 'draftshelf_clock_skew_seconds')).toBeLessThan(60);
    expect(amountOf(ofApi, 'draftshelf_backup_age_seconds')).toBeGreaterThan(7_000);
    expect(amountOf(ofApi, 'draftshelf_table_bytes{table="imports"}')).toBeGreaterThan(0);
    const ofFolders = await scrape(await metricsAddress(stack.process('folder-worker')));
    expect(series(ofFolders).map(nameIn)).toContain('draftshelf_s3_errors_total');

    const scraped = new Set(texts.flatMap(series).map(nameIn));
    const dashboard = JSON.parse(await readFile(dashboardFile, 'utf8')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const exprs = [
      ...(await readRules()).map(({ expr }) => expr),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    const named = exprs.flatMap(namesIn);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !scraped.has(name))).toEqual([]);
  },
);
