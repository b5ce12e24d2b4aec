import { withPinnedConnection } from '@draftshelf/core/connection/database';
import { removeStaleFoundValues } from '@draftshelf/core/enrich/found-values';
import { editRows } from '@draftshelf/core/review/edits';
import { selectProposals } from '@draftshelf/core/review/proposals/decide-proposals';
import { addProposals, removeStaleProposals } from '@draftshelf/core/review/proposals/proposals';
import { lockRows } from '@draftshelf/core/review/rows-lock';
import { currentRows } from '@draftshelf/core/work/runs';
import { aiSource, ruleSource } from '@draftshelf/domain/enrich/sources';
import { expect } from 'vitest';
import { csvOf } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { propose as proposeFor, type RowProposal } from '../../support/propose.ts';
import { isLong } from '../../support/queue-backend.ts';
import { refreshed } from '../../support/refreshed-rows.ts';
import { gtinOf } from '../../support/sources.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const { processed, read } = importSteps(() => stack);

type Listed = {
  id: number;
  row: number;
  field: string;
  value: string;
  before: string | null;
  changed: boolean;
};
type Page = {
  proposals: Listed[];
  total: number;
  counts: { field: string; source: string; label: string; count: number }[];
  groups: { key: string; field: string; source: string; reason: string; count: number }[];
  newest: number | null;
};

const propose = (id: string, proposals: readonly RowProposal[]) => proposeFor(stack, id, proposals);
const list = async (id: string, query = '') =>
  (await stack.api.call('GET', `/api/queue/${id}/proposals${query}`)).body as Page;
const valuesOf = async (id: string) => (await list(id)).proposals.map(({ row, value }) => [row, value]);

const ofRule = (row: number, value: string, before: string | null = null) =>
  ({ row, field: 'type', value, before, source: ruleSource, reason: 'By a rule.', groupKey: value }) as const;
const ofAi = (row: number, value: string, before: string | null = null) =>
  ({ row, field: 'description', value, before, source: aiSource, reason: 'Rewritten.' }) as const;

/** Rows 'Vase 1' … with a price each. */
const vases = (rows: number) =>
  csvOf([
    ['Title', 'Price', 'UPC'],
    ...Array.from({ length: rows }, (_, at) => [`Vase ${at + 1}`, '9.90', '']),
  ]);

it('replaces the open proposal of a rule or of AI, and keeps what was decided', async () => {
  const id = await processed(vases(2));
  await propose(id, [ofRule(1, 'Vases'), ofRule(2, 'Vases'), ofAi(1, 'A vase.')]);
  await propose(id, [ofRule(1, 'Wall Art'), ofAi(1, 'A blue vase.')]);
  const open = [
    [2, 'Vases'],
    [1, 'Wall Art'],
    [1, 'A blue vase.'],
  ];
  expect(await valuesOf(id)).toEqual(open);
  const dismissed = (await list(id)).proposals.find(({ value }) => value === 'A blue vase.');
  const path = `/api/queue/${id}/proposals/${dismissed?.id}`;
  expect((await stack.api.call('POST', path, { body: { action: 'dismiss' } })).status).toBe(200);
  await propose(id, [ofAi(1, 'A blue vase.')]);
  expect(await valuesOf(id)).toEqual(open.slice(0, 2));
  // An edited code removes only what was found by the former one.
  const edit = { body: { values: { upc: '012345678905' } } };
  expect((await stack.api.call('PATCH', `/api/queue/${id}/rows/1`, edit)).status).toBe(200);
  expect(await valuesOf(id)).toEqual(open.slice(0, 2));
});

it('removes what was found by a former GTIN without reading what was found for other products', async () => {
  const id = await processed(vases(1));
  const of = currentRows(await read(id));
  const rows = Array.from({ length: 5_000 }, (_, at) => at + 1);
  const proposals = rows.map((row) => ({
    ...{ ...ofRule(row, 'Vases'), source: 'own' },
    ...{ byteFrom: row * 1_000, gtin: `old-${row}` },
  }));
  const changed = rows
    .slice(0, 200)
    .map((row) => ({ row, byteFrom: row * 1_000, gtin: row === 1 ? 'old-1' : null }));
  const counts = await withPinnedConnection(stack.database, ({ db, client }) =>
    db.transaction().execute(async (trx) => {
      await lockRows(trx, id);
      await addProposals(trx, id, proposals);
      await client.query(
        `insert into found_values (import_id, run, row, field, value, source, gtin)
         select $1, $2, row, 'type', 'Vases', 'own', 'old-' || row from unnest($3::int[]) row`,
        [id, of.run, rows],
      );
      const readSoFar = async (): Promise<number> => {
        const { rows: read } = await client.query(
          `select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
           where relname in ('proposals', 'found_values')`,
        );
        return read[0].read;
      };
      const before = await readSoFar();
      await removeStaleFoundValues(trx, of, changed);
      await removeStaleProposals(trx, id, changed);
      expect((await readSoFar()) - before).toBeLessThan(2_000);
      const { rows: left } = await client.query(
        `select (select count(*)::int from proposals where import_id = $1) as proposals,
           (select count(*)::int from found_values where import_id = $1) as found`,
        [id],
      );
      return left;
    }),
  );
  expect(counts).toEqual([{ proposals: 4_801, found: 4_801 }]);
});

it('stores texts that no index entry can hold', async () => {
  const id = await processed(vases(1));
  const words = Array.from({ length: 3_000 }, (_, at) => `word${(at * 7_919) % 100_003}`).join(' ');
  await propose(id, [ofAi(1, words)]);
  expect((await list(id)).proposals.map(({ value }) => value.length)).toEqual([words.length]);
});

type Decided = {
  stopped: boolean;
  message: string;
  command: string | null;
  decided: number;
  left: { id: number; reason: string }[];
  leftMore: number;
  more: number;
};

const decide = (id: string, body: object) =>
  stack.api.call('POST', `/api/queue/${id}/proposals/decide`, { body });
const decided = async (id: string, body: object) => {
  const answer = await decide(id, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Decided;
};
const undo = async (id: string, command: string | null) => {
  const answer = await stack.api.call('POST', `/api/queue/${id}/edits/${command}/undo`);
  return { ...answer, body: answer.body as { message: string; command: string; left: number } };
};
/** Number of rows with each type. */
const types = async (id: string) => {
  const rows: { values: { type?: string } }[] = [];
  for (let after = 0; ; after += 200) {
    const { body } = await stack.api.call('GET', `/api/queue/${id}/rows?limit=200&after=${after}`);
    const page = (body as { rows: typeof rows }).rows;
    rows.push(...page);
    if (page.length < 200) break;
  }
  const counts = new Map<string, number>();
  for (const { values } of rows) counts.set(values.type ?? '', (counts.get(values.type ?? '') ?? 0) + 1);
  return Object.fromEntries(counts);
};
const edit = async (id: string, row: number, values: object) =>
  expect((await stack.api.call('PATCH', `/api/queue/${id}/rows/${row}`, { body: { values } })).status).toBe(
    200,
  );

it('lists proposals by field, source, group and row, with counts and pages that keep their place', async () => {
  const id = await processed(vases(60));
  const rows = Array.from({ length: 60 }, (_, at) => at + 1);
  await propose(id, [
    ...rows.map((row) => ofRule(row, row <= 40 ? 'Wall Art' : 'Vases')),
    ...rows.slice(0, 5).map((row) => ({ ...ofAi(row, `A vase, ${row}.`), evidence: `Vase ${row}` })),
  ]);
  const first = await list(id);
  expect(first).toMatchObject({
    total: 65,
    counts: [
      { field: 'description', source: 'ai', label: 'AI', count: 5 },
      { field: 'type', source: 'rule', label: 'your rules', count: 60 },
    ],
    groups: [
      { key: 'Wall Art', field: 'type', source: 'rule', reason: 'By a rule.', count: 40 },
      { key: 'Vases', field: 'type', source: 'rule', reason: 'By a rule.', count: 20 },
    ],
  });
  expect(first.proposals).toHaveLength(50);
  const after = first.proposals.at(-1)?.id ?? 0;
  // Deciding about a proposal of the first page does not move the second one.
  const second = (await list(id, `?after=${after}`)).proposals.map((one) => one.id);
  await decided(id, { action: 'dismiss', ids: [first.proposals[0]?.id] });
  expect((await list(id, `?after=${after}`)).proposals.map((one) => one.id)).toEqual(second);
  expect(second).toHaveLength(15);
  // Only the first page is counted.
  const uncounted = { total: 0, counts: [], groups: [], newest: null };
  expect(await list(id, `?after=${after}`)).toMatchObject(uncounted);
  expect(await list(id, `?after=${after}&limit=0`)).toMatchObject({ total: 64, newest: second.at(-1) });

  expect(await list(id, '?field=description&limit=0')).toMatchObject({ proposals: [], total: 5, groups: [] });
  const ofRow = await list(id, '?row=2');
  expect(ofRow.proposals).toMatchObject([
    { field: 'type', value: 'Wall Art', before: null, changed: false, reason: 'By a rule.', evidence: null },
    { field: 'description', value: 'A vase, 2.', source: 'AI', evidence: 'Vase 2' },
  ]);
  expect(await list(id, '?source=rule&group=Vases')).toMatchObject({ total: 20, groups: [{ key: 'Vases' }] });
});

it('takes a group by one command, leaves what has changed, and takes all of it back', async () => {
  const id = await processed(vases(9));
  const rows = [1, 2, 3, 4, 5, 6, 7, 8];
  await propose(id, [...rows.map((row) => ofRule(row, 'Wall Art')), ofAi(1, 'A vase.')]);
  await edit(id, 1, { type: 'Bowls' });
  await propose(id, [{ ...ofRule(9, 'Vases'), source: 'own' }, ofRule(9, 'Wall Art')]);
  expect((await list(id, '?row=1')).proposals[0]).toMatchObject({ before: 'Bowls', changed: true });
  const group = { field: 'type', source: 'rule', group: 'Wall Art' };
  expect(await decide(id, { action: 'take', filter: group, expectedCount: 8 })).toMatchObject({
    status: 409,
    body: {
      message: 'There are 9 proposals now, but 8 were shown. Nothing was decided. Look at the list again.',
      current: { count: 9 },
    },
  });
  const taken = await decided(id, { action: 'take', filter: group, expectedCount: 9 });
  const [changed] = (await list(id, '?row=1')).proposals;
  expect(taken).toMatchObject({
    ...{ message: '8 values were accepted, 1 had changed meanwhile.', decided: 8, leftMore: 0, more: 0 },
    left: [{ id: changed?.id, reason: 'changed' }],
  });
  expect(await types(id)).toEqual({ Bowls: 1, 'Wall Art': 8 });
  // The other value for the field of row 9 is withdrawn.
  expect(await valuesOf(id)).toEqual([
    [1, 'Wall Art'],
    [1, 'A vase.'],
  ]);
  await edit(id, 2, { type: 'Lamps' });

  const undone = await undo(id, taken.command);
  expect(undone).toMatchObject({ status: 200, body: { left: 1, inBackground: false } });
  expect(await types(id)).toEqual({ Bowls: 1, Lamps: 1, '': 7 });
  // What was edited since stays taken; the withdrawn proposal is open again.
  expect((await valuesOf(id)).map(([row]) => row).sort()).toEqual([1, 1, 3, 4, 5, 6, 7, 8, 9, 9]);
  await undo(id, undone.body.command);
  expect(await types(id)).toEqual({ Bowls: 1, Lamps: 1, 'Wall Art': 7 });
  expect(await valuesOf(id)).toHaveLength(2);
});

it('decides only proposals that were shown, also if others have replaced them one for one', async () => {
  const id = await processed(vases(3));
  await propose(
    id,
    [1, 2, 3].map((row) => ofRule(row, 'Vases')),
  );
  const all = { action: 'take', filter: { field: 'type' }, expectedCount: 3 };
  const { newest: shown } = await list(id);
  await propose(id, [ofRule(2, 'Wall Art')]);
  expect(await decide(id, { ...all, upTo: shown })).toMatchObject({
    status: 409,
    body: { current: { count: 2 } },
  });
  expect(await types(id)).toEqual({ '': 3 });
  const { newest } = await list(id);
  expect(await decided(id, { ...all, upTo: newest })).toMatchObject({ decided: 3, more: 0 });
});

it('names the proposals that it left, with their reasons, and dismisses many at once', async () => {
  const csv = csvOf([
    ['Title', 'Price', 'Category'],
    ['Vase', '9.90', ''],
    ['Title', 'Price', 'Category'],
    ['Bowl', '9.90', ''],
    ['Jug', '9.90', 'Jugs'],
  ]);
  const id = await processed(csv);
  const ofOwn = (row: number, value: string) => ({ ...ofRule(row, value), source: 'own' });
  await propose(id, [
    ofRule(1, 'Vases'),
    ofOwn(1, 'Flowers'),
    ofRule(2, 'Vases'),
    ofRule(3, 'Bowls'),
    ofRule(4, 'Tea', 'Jugs'),
  ]);
  await stack.database.pool.query(
    'update proposals set byte_from = byte_from + 1 where import_id = $1 and row = 3',
    [id],
  );
  const { rows } = await stack.database.pool.query<{ id: number }>(
    'select id from proposals where import_id = $1 order by id',
    [id],
  );
  const ids = rows.map((row) => row.id);
  const taken = await decided(id, { action: 'take', ids: [...ids, 9_999_999] });
  expect(taken.decided).toBe(1);
  expect(Object.fromEntries(taken.left.map((one) => [one.id, one.reason]))).toEqual({
    [ids[0] ?? 0]: 'several',
    [ids[1] ?? 0]: 'several',
    [ids[2] ?? 0]: 'ignored',
    [ids[3] ?? 0]: 'gone',
    9999999: 'decided',
  });
  const dismissed = await decided(id, { action: 'dismiss', ids: ids.slice(0, 2) });
  expect(dismissed).toMatchObject({ decided: 2, message: '2 proposals were dismissed.' });
  const shown = (await valuesOf(id)).length;
  await propose(id, [ofRule(1, 'Newer')]);
  expect((await undo(id, dismissed.command)).status).toBe(200);
  // The rule has proposed something newer: its former proposal stays dismissed.
  expect(await valuesOf(id)).toHaveLength(shown + 2);
  expect(await undo(id, dismissed.command)).toMatchObject({ status: 409, body: { code: 'nothing_to_undo' } });
  const none = { action: 'take', ids: [], filter: {} };
  expect((await decide(id, none)).status).toBe(400);
  expect((await decide(id, { action: 'take', filter: {} })).status).toBe(400);
  expect((await decide(id, { action: 'take' })).status).toBe(400);
});

it('forgets a taken proposal whose value is undone while a newer one is open', async () => {
  const id = await processed(vases(1));
  await propose(id, [ofAi(1, 'A vase.'), { ...ofRule(1, 'Vases'), source: 'own' }]);
  const former = (await list(id)).proposals.map((one) => one.id);
  const taken = await decided(id, { action: 'take', ids: former });
  expect(taken.decided).toBe(2);
  await propose(id, [ofAi(1, 'A blue vase.', 'A vase.')]);
  expect((await undo(id, taken.command)).status).toBe(200);
  const { rows } = await stack.database.pool.query(
    'select source, value, state from proposals where import_id = $1 order by source',
    [id],
  );
  expect(rows).toEqual([
    { source: 'ai', value: 'A blue vase.', state: 'open' },
    { source: 'own', value: 'Vases', state: 'open' },
  ]);
  // The rule or AI may propose it again.
  await propose(id, [ofAi(1, 'A vase.')]);
  expect((await valuesOf(id)).map(([, value]) => value).sort()).toEqual(['A vase.', 'Vases']);
});

it('takes proposals by one command in parts, up to a limit, and takes them back', async () => {
  const id = await processed(vases(300));
  const rows = Array.from({ length: 300 }, (_, at) => at + 1);
  await propose(
    id,
    rows.map((row) => ofRule(row, 'Wall Art')),
  );
  const limited = { expectedCount: 300, limit: 100 };
  expect(await selectProposals(stack.database.db, await read(id), { field: 'type' }, limited)).toMatchObject({
    ok: true,
    more: 200,
  });
  const taken = await decided(id, { action: 'take', filter: { field: 'type' }, expectedCount: 300 });
  expect(taken).toMatchObject({ decided: 300, left: [], more: 0, stopped: false });
  expect(await types(id)).toEqual({ 'Wall Art': 300 });
  const undone = await undo(id, taken.command);
  expect(undone).toMatchObject({ status: 200, body: { left: 0 } });
  expect(await types(id)).toEqual({ '': 300 });
  expect((await list(id, '?limit=0')).total).toBe(300);
  expect((await undo(id, taken.command)).status).toBe(409);
});

it.runIf(isLong)(
  'answers with what was taken if a later part fails, so that it can be taken back',
  async () => {
    const id = await processed(vases(260));
    const rows = Array.from({ length: 260 }, (_, at) => at + 1);
    await propose(
      id,
      rows.map((row) => ofRule(row, 'Wall Art')),
    );
    // Somebody else holds a proposal of the second part for longer than a call waits.
    const other = await stack.database.pool.connect();
    try {
      await other.query('begin; set local idle_in_transaction_session_timeout = 0');
      await other.query(
        'select 1 from proposals where id = (select max(id) from proposals where import_id = $1) for update',
        [id],
      );
      const taken = await decided(id, { action: 'take', filter: { field: 'type' }, expectedCount: 260 });
      expect(taken).toMatchObject({ decided: 250, left: [], stopped: true });
      expect(taken.message).toContain('250 values were accepted. Then an error occurred; 10 more proposals');
      await other.query('rollback');
      expect(await types(id)).toEqual({ '': 10, 'Wall Art': 250 });
      expect(await undo(id, taken.command)).toMatchObject({ status: 200, body: { left: 0 } });
      expect(await types(id)).toEqual({ '': 260 });
    } finally {
      await other.query('rollback');
      other.release();
    }
  },
);

it('tells new proposals by the newest id, also where their number stays the same', async () => {
  const id = await processed(vases(1));
  const details = async () => {
    const { body } = await stack.api.call('GET', `/api/queue/${id}?rows=0`);
    const { proposals, newestProposal } = (
      body as { job: { proposals: number; newestProposal: number | null } }
    ).job;
    return { proposals, newestProposal };
  };
  expect(await details()).toEqual({ proposals: 0, newestProposal: null });
  await propose(id, [ofRule(1, 'Vases')]);
  const first = (await list(id)).proposals[0]?.id;
  expect(await details()).toEqual({ proposals: 1, newestProposal: first });
  await propose(id, [ofRule(1, 'Wall Art')]);
  const second = (await list(id)).proposals[0]?.id;
  expect(second).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY);
  expect(await details()).toEqual({ proposals: 1, newestProposal: second });
});

it('takes a value that the operator has changed, if an edit may have it', async () => {
  const id = await processed(vases(1));
  await propose(id, [ofAi(1, 'A vase.')]);
  await propose(id, [{ ...ofRule(1, 'draft'), field: 'status', groupKey: null }]);
  const [text, status] = (await list(id)).proposals;
  const take = (proposal: Listed | undefined, value: string) =>
    stack.api.call('POST', `/api/queue/${id}/proposals/${proposal?.id}`, { body: { action: 'take', value } });
  expect(await take(status, 'sold')).toMatchObject({ status: 400, body: { field: 'value' } });
  expect(await take(text, '')).toMatchObject({ status: 400, body: { field: 'value' } });
  expect((await take(text, 'A blue vase.')).status).toBe(200);
  const { body } = await stack.api.call('GET', `/api/queue/${id}/rows`);
  expect((body as { rows: unknown[] }).rows).toMatchObject([{ values: { description: 'A blue vase.' } }]);
});

it.each(['gone', 'edited since'])(
  'takes back the last part of a command if the rows of the first part are %s',
  async (first) => {
    const id = await processed(`${vases(251)}${first},9.90,\r\n`);
    const rows = Array.from({ length: 251 }, (_, at) => at + 1);
    await propose(
      id,
      rows.flatMap((row) => [ofRule(row, 'Wall Art'), { ...ofRule(row, 'art'), field: 'tags' as const }]),
    );
    const stored = await stack.database.pool.query<{ id: number }>(
      'select id from proposals where import_id = $1',
      [id],
    );
    const taken = await decided(id, { action: 'take', ids: stored.rows.map((one) => one.id) });
    expect(taken.decided).toBe(502);
    const move = (bytes: number) =>
      stack.database.pool.query(
        'update rows set byte_from = byte_from + $2 where import_id = $1 and row <= 250',
        [id, bytes],
      );
    if (first === 'gone') {
      await move(10_000_000);
    } else {
      const changes = rows.slice(0, 250).map((row) => ({ row, values: { type: 'Bowls', tags: 'bowl' } }));
      await stack.database.db.transaction().execute((trx) => editRows(trx, id, { kind: 'single' }, changes));
    }
    expect(await undo(id, taken.command)).toMatchObject({
      status: 200,
      body: { left: first === 'gone' ? 0 : 500 },
    });
    // The values of these rows are restored when another reading has them again.
    if (first === 'gone') {
      await move(-10_000_000);
      await refreshed(stack.database.db, id, rows.slice(0, 250));
    }
    expect(await types(id)).toEqual(first === 'gone' ? { '': 252 } : { Bowls: 250, '': 2 });
    expect((await list(id, '?limit=0')).total).toBe(first === 'gone' ? 502 : 2);
    expect((await undo(id, taken.command)).status).toBe(409);
  },
);

it('does not learn what was taken from AI, unless the operator changed it', async () => {
  const upc = (at: number) => gtinOf(710_000_000_000 + at).slice(1);
  const csv = csvOf([
    ['Title', 'Price', 'UPC'],
    ...[1, 2, 3].map((at) => [`Blue Vase ${at}`, '9.90', upc(at)]),
  ]);
  const id = await processed(csv);
  await propose(
    id,
    [1, 2, 3].map((row) => ofAi(row, `A vase, ${row}.`)),
  );
  await propose(id, [{ ...ofRule(3, 'Vases') }]);
  const [first, second] = (await list(id)).proposals;
  const takeOne = (proposal: number | undefined, body: object) =>
    stack.api.call('POST', `/api/queue/${id}/proposals/${proposal}`, { body: { action: 'take', ...body } });
  const { command } = (await takeOne(first?.id, {})).body as { command: string };
  await takeOne(second?.id, { value: 'A vase of blue glass.' });
  const rest = (await list(id, '?row=3')).proposals.map((one) => one.id);
  await decided(id, { action: 'take', ids: rest });
  const learned = async () => {
    const { rows } = await stack.database.pool.query<{ gtin: string; answer: object }>(
      "select gtin, answer from lookups where source = 'own' order by gtin",
    );
    return rows.map(({ gtin, answer }) => [gtin.slice(1), answer]);
  };
  const expected = [
    [upc(2), expect.objectContaining({ description: 'A vase of blue glass.' })],
    [upc(3), expect.objectContaining({ description: null, category: 'Vases' })],
  ];
  expect(await learned()).toEqual(expected);
  // An undo and a redo, with the proposal still there, or replaced before or after the undo.
  for (const replaced of ['never', 'before', 'after']) {
    if (replaced === 'before') await propose(id, [ofAi(1, 'A newer vase.', 'A vase, 1.')]);
    const undone = await undo(id, command);
    if (replaced === 'after') await propose(id, [ofAi(1, 'The newest vase.')]);
    expect(await undo(id, undone.body.command)).toMatchObject({ status: 200 });
    expect(await learned(), replaced).toEqual(expected);
  }
  // The same file again has the same edits, and the text of AI is still not the operator's own.
  const again = await processed(csv);
  await edit(again, 1, { vendor: 'Acme' });
  expect(await learned()).toEqual([
    [upc(1), expect.objectContaining({ description: null, brand: 'Acme' })],
    ...expected,
  ]);
});

it('an edit that is undone or cleared is no knowledge of earlier imports, and a second one stays', async () => {
  const upc = gtinOf(711_000_000_001).slice(1);
  const id = await processed(
    csvOf([
      ['Title', 'Price', 'UPC', 'Brand'],
      ['Blue Glass Vase', '9.90', upc, 'Gardenline'],
    ]),
    { enableUPC: 'true', supplier: '' },
  );
  const learned = async () => {
    const { rows } = await stack.database.pool.query<{ brand: string | null; category: string | null }>(
      `select answer->>'brand' as brand, answer->>'category' as category from lookups
       where source = 'own' and gtin = $1`,
      [`0${upc}`],
    );
    return rows;
  };
  const lastCommand = async () => {
    const { rows } = await stack.database.pool.query<{ command: string }>(
      'select command from edits where import_id = $1 order by id desc limit 1',
      [id],
    );
    return rows[0]?.command ?? null;
  };
  await edit(id, 1, { vendor: 'Beta' });
  expect(await learned()).toEqual([{ brand: 'Beta', category: null }]);
  const undone = await undo(id, await lastCommand());
  expect(undone.status).toBe(200);
  expect(await learned()).toEqual([]);
  expect(await list(id)).toMatchObject({ total: 0 });
  await undo(id, undone.body.command);
  expect(await learned()).toEqual([{ brand: 'Beta', category: null }]);
  await edit(id, 1, { type: 'Vases' });
  await edit(id, 1, { vendor: '' });
  expect(await learned()).toEqual([{ brand: null, category: 'Vases' }]);
});
