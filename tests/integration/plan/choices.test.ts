import { savePreferences } from '@draftshelf/core/access/preferences';
import { findImport } from '@draftshelf/core/imports/imports';
import { countUndecidedProducts } from '@draftshelf/core/push/missed-products';
import {
  type ChoiceSubject,
  choiceSubjects,
  choicesBySubject,
  type PushChoice,
} from '@draftshelf/domain/push/push-choices';
import { afterEach, expect } from 'vitest';
import { readNextPush } from '../../../apps/api/src/push/read-plan.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { copyStore, createByMerchant, demoShop } from '../../support/merchant-product.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { reach, push, importOf, edit, productsNamed, outcomes } = pushSteps(() => stack);
const { plan, readPlan, expectAsPlanned } = planSteps(() => stack);

afterEach(() => stack.store.clearFaults());

let files = 0;
async function fileOf(rows: readonly (readonly string[])[]): Promise<string> {
  files += 1;
  const csv = csvOf([['Title', 'Price', 'SKU', 'Quantity', 'Size'], ...rows]);
  return (await importOf(csv, String(files).padStart(4, 'c').padEnd(64, 'c'))).id;
}

// biome-ignore lint/suspicious/noExplicitAny: replies of three calls
const get = async (id: string, path = ''): Promise<any> =>
  (await stack.api.call('GET', `/api/queue/${id}/plan${path}`)).body;
const choose = async (id: string, about: ChoiceSubject, choice: PushChoice | null, product?: number) =>
  stack.api.call('POST', `/api/queue/${id}/plan/choices`, { body: { about, choice, product } });

type Situation = {
  /** Of the product that is pushed first. */
  before?: Parameters<typeof edit>[2];
  ours?: Parameters<typeof edit>[2];
  theirs?: object;
  listing?: string;
  /** The store's product of a merchant with the same SKU, instead of an earlier push. */
  merchants?: boolean;
  about: ChoiceSubject;
  choice: PushChoice;
  outcome: string;
  code?: string;
  /** The products with this name in the store after the push. */
  inStore: { title: string; price?: string }[];
};
const both = { ours: { title: 'Ours', price: '12' }, theirs: { title: 'Theirs' } };
const lostWrite = `sending = jsonb_set(sent::jsonb, '{title}', '"Sent"'), sending_hash = 'other'`;
const lostUpdate = `${lostWrite}, sending_kind = 'update'`;
const lostCreate = `${lostWrite}, sending_kind = 'create', store_product_id = null, sent = null, sent_hash = null,
  baseline = null`;
const drifted = { ...both, about: 'drifted' } as const;
const deleted = { theirs: { deleted: true }, about: 'deleted-in-store' } as const;
const other = { ...both, listing: 'delete', about: 'different-content' } as const;
const lost = { ...both, listing: lostUpdate, about: 'lost-answer' } as const;
const lostNew = { ...both, listing: lostCreate, about: 'lost-answer' } as const;
const match = { merchants: true, about: 'in-store' } as const;
const sold = { ours: { quantity: '9' }, theirs: { quantity: 3 }, about: 'not-sent' } as const;
/** More than are read of a product. */
const images = Array.from({ length: 51 }, (_, at) => `https://images.example/${at}.jpg`);
const blocked: Pick<Situation, 'before' | 'ours' | 'theirs' | 'about'> = {
  before: { moreImages: images.join('\n') },
  ours: { title: 'Ours', moreImages: images.slice(1).join('\n') },
  theirs: { templateSuffix: 'wide' },
  about: 'blocked',
};
const skipped = (code: string) => ({ choice: 'skip', outcome: 'skipped', code }) as const;

/** Titles are 'Keep …' here, and edits and changes in the store append to them. */
const situations: Record<string, Situation> = {
  A: { ...drifted, choice: 'keep-store', outcome: 'updated', inStore: [{ title: 'Theirs', price: '12.00' }] },
  B: { ...drifted, choice: 'use-ours', outcome: 'updated', inStore: [{ title: 'Ours', price: '12.00' }] },
  C: { ...drifted, ...skipped('drifted'), inStore: [{ title: 'Theirs', price: '10.00' }] },
  D: { ...deleted, choice: 'create', outcome: 'created', inStore: [{ title: '', price: '10.00' }] },
  E: { ...deleted, ...skipped('deleted-in-store'), inStore: [] },
  F: { ...other, choice: 'update', outcome: 'updated', inStore: [{ title: 'Ours', price: '12.00' }] },
  G: { ...other, ...skipped('different-content'), inStore: [{ title: 'Theirs', price: '10.00' }] },
  H: { ...lost, choice: 'record', outcome: 'updated', inStore: [{ title: 'Ours', price: '12.00' }] },
  I: { ...lost, choice: 'send-again', outcome: 'updated', inStore: [{ title: 'Ours', price: '12.00' }] },
  J: { ...lost, ...skipped('lost-answer'), inStore: [{ title: 'Theirs', price: '10.00' }] },
  K: { ...lostNew, choice: 'record', outcome: 'updated', inStore: [{ title: 'Ours', price: '12.00' }] },
  L: { ...lostNew, choice: 'send-again', outcome: 'updated', inStore: [{ title: 'Ours', price: '12.00' }] },
  M: { ...match, choice: 'update', outcome: 'updated', inStore: [{ title: '', price: '10.00' }] },
  N: {
    ...match,
    choice: 'create',
    outcome: 'created',
    inStore: [
      { title: 'merchant', price: '1.00' },
      { title: '', price: '10.00' },
    ],
  },
  O: { ...match, ...skipped('in-store'), inStore: [{ title: 'merchant', price: '1.00' }] },
  Q: { ...blocked, choice: 'send-without', outcome: 'updated', inStore: [{ title: 'Ours', price: '10.00' }] },
  R: { ...blocked, ...skipped('blocked'), inStore: [{ title: '', price: '10.00' }] },
  P: { ...sold, ...skipped('not-sent'), inStore: [{ title: '', price: '10.00' }] },
  S: { ...sold, choice: 'use-ours', outcome: 'updated', inStore: [{ title: '', price: '10.00' }] },
};

it('every choice about every product that waits for one has a situation', () => {
  const all = choiceSubjects.flatMap((about) =>
    choicesBySubject[about].map((choice) => `${about}: ${choice}`),
  );
  const covered = Object.values(situations).map(({ about, choice }) => `${about}: ${choice}`);
  // The simulator's variants are renamed without a question.
  const asked = all.filter((one) => one !== 'blocked: use-ours');
  expect([...new Set(covered)].toSorted()).toEqual(asked.toSorted());
});

it('each choice is planned as it is pushed, and resolves what it is about', async () => {
  const names = Object.keys(situations);
  const nameOf = (name: string, word: string) => `Choice ${name}${word && ` ${word}`}`;
  const of = (name: string) => situations[name] as Situation;
  for (const name of names.filter((one) => of(one).merchants)) {
    await createByMerchant(stack, nameOf(name, 'merchant'), `CH-${name}`);
  }
  const id = await fileOf(names.map((name) => [nameOf(name, ''), '10', `CH-${name}`, '5', '']));
  await savePreferences(stack.database.db, { whenInStore: 'skip' });
  for (const [at, name] of names.entries()) {
    const { before } = of(name);
    if (before) await edit(id, at + 1, before);
  }
  await push(id);
  await reach(id, 'completed');
  const { pool } = stack.database;
  for (const [at, name] of names.entries()) {
    const { ours, theirs, listing } = of(name);
    const titled = (values: { title?: string } | undefined) =>
      values && { ...values, ...(values.title === undefined ? {} : { title: nameOf(name, values.title) }) };
    if (ours) await edit(id, at + 1, titled(ours as object) as typeof ours);
    if (theirs) {
      const [inStore] = await productsNamed(nameOf(name, ''));
      await stack.store.edit(inStore?.id ?? 0, titled(theirs) as object);
    }
    const ourId = `(select our_id from outcomes where import_id = $1 and product = $2)`;
    if (listing === 'delete') await pool.query(`delete from listings where our_id = ${ourId}`, [id, at + 1]);
    else if (listing)
      await pool.query(`update listings set ${listing} where our_id = ${ourId}`, [id, at + 1]);
  }
  await copyStore(stack);
  const { lines } = await plan(id);
  expect(lines.map(({ code, about, choice }, at) => [names[at], code, about, choice])).toEqual(
    names.map((name) => [name, of(name).about, of(name).about, null]),
  );
  const title = { store: nameOf('A', 'Theirs'), push: nameOf('A', 'Ours') };
  expect((await get(id, '/products/1')).asked).toEqual([{ part: 'title', name: '', ...title }]);
  expect(await get(id)).toMatchObject({ needDecision: names.length });
  for (const [at, name] of names.entries()) {
    const { about, choice } = of(name);
    expect(await choose(id, about, choice, at + 1)).toMatchObject({ status: 200, body: { decided: 1 } });
  }
  expect(await get(id)).toMatchObject({ needDecision: 0 });
  expect((await get(id, '/products/1')).differences).toEqual([
    { part: 'variants', name: 'price', store: '10.00', push: '12.00' },
  ]);

  const planned = await expectAsPlanned(id);
  expect(planned.map(({ outcome, code }, at) => [names[at], outcome, code])).toEqual(
    names.map((name) => [name, of(name).outcome, of(name).code ?? null]),
  );
  for (const name of names) {
    const found = await productsNamed(nameOf(name, ''));
    const expected = of(name).inStore.map(({ title, ...rest }) => ({ title: nameOf(name, title), ...rest }));
    expect(found.map(({ title, variants }) => ({ title, price: variants[0]?.price }))).toEqual(expected);
  }
  // Skipped products stay as they were chosen; all others are as they are in the file.
  const { lines: again } = await plan(id);
  const waiting = again.filter(({ about, choice }) => about !== null && choice === null);
  expect(waiting.map(({ product }) => names[product - 1])).toEqual(['J']);
  expect(again.filter(({ outcome }) => outcome !== 'skipped')).toEqual(
    expect.arrayContaining([expect.objectContaining({ outcome: 'unchanged', code: null })]),
  );
});

it('a choice about all is made and taken back, and one about an earlier state is asked again', async () => {
  const id = await fileOf(['P', 'Q', 'R'].map((name) => [`Again ${name}`, '10', `AG-${name}`, '5', '']));
  expect(await choose(id, 'drifted', 'skip')).toMatchObject({
    ...{ status: 409, body: { message: expect.stringContaining('has not been planned') } },
  });
  await push(id);
  await reach(id, 'completed');
  const theirs = async (name: string, title: string) => {
    const [inStore] = await productsNamed(`Again ${name}`);
    await stack.store.edit(inStore?.id ?? 0, { title });
  };
  for (const [at, name] of ['P', 'Q', 'R'].entries()) {
    await edit(id, at + 1, { title: `Again ${name} ours` });
    await theirs(name, `Again ${name} theirs`);
  }
  await plan(id);
  expect(await get(id)).toMatchObject({ needDecision: 3 });
  expect((await get(id, '/products')).products[0]).toMatchObject({
    changes: [{ part: 'title', name: '', store: 'Again P theirs', push: 'Again P ours' }],
    moreChanges: 0,
  });
  expect((await choose(id, 'drifted', 'create')).body).toEqual({ decided: 0, more: false });
  expect((await choose(id, 'drifted', 'skip', 3)).body).toEqual({ decided: 1, more: false });
  expect((await choose(id, 'drifted', 'use-ours')).body).toEqual({ decided: 2, more: false });
  expect(await get(id)).toMatchObject({
    needDecision: 0,
    decided: 3,
    decisions: [
      {
        ...{ about: 'drifted', open: 0 },
        choices: [
          { choice: 'keep-store', allowed: 0, decided: 0 },
          { choice: 'use-ours', allowed: 0, decided: 2 },
          { choice: 'skip', allowed: 0, decided: 1 },
        ],
      },
    ],
  });
  expect((await choose(id, 'drifted', null)).body).toEqual({ decided: 3, more: false });
  expect(await get(id)).toMatchObject({
    ...{ needDecision: 3, decided: 0 },
    decisions: [{ open: 3, choices: [{ allowed: 3, decided: 0 }, { allowed: 3 }, { allowed: 3 }] }],
  });
  expect((await get(id, '/products?about=drifted&open=true')).products).toHaveLength(3);
  await choose(id, 'drifted', 'use-ours', 2);
  const csv: string = await get(id, '.csv');
  expect(csv.split('\r\n').map((line) => line.split(',')[5])).toEqual([
    ...['Decision', 'Needed', 'Chosen: Use Ours', 'Needed', undefined],
  ]);
  await choose(id, 'drifted', 'use-ours');
  expect((await get(id, '/products?open=true')).products).toEqual([]);
  expect((await get(id, '/products')).products[0]).toMatchObject({
    ...{ code: 'drifted', about: 'drifted', choice: 'use-ours' },
    choices: ['keep-store', 'use-ours', 'skip'],
  });

  // Changed again: only its choice is not applied. The others count as planned.
  await theirs('Q', 'Again Q theirs again');
  await push(id);
  await reach(id, 'completed');
  expect((await outcomes(id)).map(({ outcome, code }) => code ?? outcome)).toEqual([
    ...['updated', 'choice-outdated', 'updated'],
  ]);
  expect((await readPlan(id)).compared).toEqual({ asPlanned: 2, otherwise: { store: 1 } });
  const { lines } = await plan(id);
  expect(lines[1]).toMatchObject({ code: 'choice-outdated', about: 'drifted', choice: null });
  const of = { import_id: id, run: 1 };
  expect(await countUndecidedProducts(stack.database.db, of, demoShop)).toBe(1);
  expect((await choose(id, 'drifted', 'keep-store')).body).toEqual({ decided: 1, more: false });
  expect(await countUndecidedProducts(stack.database.db, of, demoShop)).toBe(0);
  expect((await expectAsPlanned(id)).map(({ outcome }) => outcome)).toEqual([
    ...['unchanged', 'unchanged', 'unchanged'],
  ]);
  expect((await productsNamed('Again')).map(({ title }) => title).toSorted()).toEqual([
    ...['Again P ours', 'Again Q theirs again', 'Again R ours'],
  ]);
});

it('a choice is stored before its import is locked, as a push locks them', async () => {
  const id = await fileOf([['Locked', '10', 'LO-1', '5', '']]);
  await push(id);
  await reach(id, 'completed');
  await edit(id, 1, { title: 'Locked ours' });
  const [inStore] = await productsNamed('Locked');
  await stack.store.edit(inStore?.id ?? 0, { title: 'Locked theirs' });
  await plan(id);
  const { pool } = stack.database;
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select from imports where id = $1 for update', [id]);
  const chosen = choose(id, 'drifted', 'use-ours');
  await until('the choice is stored', async () => {
    const { rows } = await pool.query('select choice from push_choices where import_id = $1', [id]);
    return rows.length === 1;
  });
  await holder.query('commit');
  holder.release();
  expect(await chosen).toMatchObject({ status: 200, body: { decided: 1 } });
});

it.runIf(isLong)(
  'open decisions are among what to know before a push and after it, with the numbers of the plan',
  async () => {
    type BeforePush = { facts: { kind: string; count: number }[]; scope: object | null };
    // As a browser asks: what it has stays if the import has the same version.
    const known: { etag?: string; body?: unknown } = {};
    const before = async () => {
      const headers = known.etag === undefined ? undefined : { 'if-none-match': known.etag };
      const reply = await stack.api.call('GET', `/api/queue/${id}?rows=0`, { headers });
      if (reply.status === 200) Object.assign(known, { etag: reply.headers.get('etag'), body: reply.body });
      const { body } = known;
      const { facts, scope } = (body as { job: { beforePush: BeforePush } }).job.beforePush;
      return { facts: facts.map(({ kind, count }) => `${count} ${kind}`), scope };
    };
    // What workers change appears within 600 ms, since polls share the reading of a version.
    const shows = (expected: object) => expect.poll(before).toEqual(expected);
    await createByMerchant(stack, 'Known merchant', 'KN-1');
    const id = await fileOf(['1', '2', '3'].map((at) => [`Known ${at}`, '10', `KN-${at}`, '5', '']));
    await shows({ facts: [], scope: { sent: 3, of: 3 } });
    await plan(id);
    await shows({ facts: ['1 to-decide'], scope: { sent: 2, of: 3 } });
    // The plan has not counted a decision that was made since, and is not up to date after an edit.
    await choose(id, 'in-store', 'update', 1);
    await shows({ facts: [], scope: { sent: 3, of: 3 } });
    await choose(id, 'in-store', null, 1);
    await shows({ facts: ['1 to-decide'], scope: { sent: 2, of: 3 } });
    await edit(id, 2, { price: '11' });
    await shows({ facts: ['1 to-decide'], scope: { sent: 3, of: 3 } });
    await push(id);
    await reach(id, 'completed');
    // A setting has decided about what the store already had.
    await shows({ facts: [], scope: null });

    const [theirs] = await productsNamed('Known 2');
    await stack.store.edit(theirs?.id ?? 0, { title: 'Known 2 theirs' });
    await edit(id, 2, { title: 'Known 2 ours' });
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ skipped: 2 });
    await shows({ facts: ['1 to-decide'], scope: null });
    await plan(id);
    await choose(id, 'in-store', 'skip', 1);
    await choose(id, 'drifted', 'use-ours', 2);
    // It can be sent, whether the plan has counted it or not.
    await shows({ facts: ['1 decided-since-push'], scope: null });
    await plan(id);
    await shows({ facts: ['1 decided-since-push'], scope: null });
    await choose(id, 'drifted', null, 2);
    await shows({ facts: ['1 to-decide'], scope: null });
    await choose(id, 'drifted', 'use-ours', 2);
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
    await shows({ facts: [], scope: null });
  },
);

it.runIf(isLong)(
  'a choice that is changed after the plan is none that the plan counts, also where the totals stay',
  async () => {
    const id = await fileOf(['A', 'B'].map((name) => [`Changed ${name}`, '10', `CC-${name}`, '5', '']));
    await push(id);
    await reach(id, 'completed');
    for (const [at, name] of ['A', 'B'].entries()) {
      await edit(id, at + 1, { title: `Changed ${name} ours`, price: '12' });
      const [inStore] = await productsNamed(`Changed ${name}`);
      await stack.store.edit(inStore?.id ?? 0, { title: `Changed ${name} theirs` });
    }
    await plan(id);
    await choose(id, 'drifted', 'keep-store', 1);
    expect(await get(id)).toMatchObject({ decidedSince: 1 });
    const { lines } = await plan(id);
    expect(lines).toMatchObject([
      { outcome: 'updated', choice: 'keep-store', planned_choice: 'keep-store' },
      { code: 'drifted', choice: null, planned_choice: null },
    ]);
    const sent = async () => {
      const record = await findImport(stack.database.db, id);
      return record && (await readNextPush(stack.database.db, record)).sent;
    };
    expect([await sent(), (await get(id)).decidedSince]).toEqual([1, 0]);
    await choose(id, 'drifted', 'skip', 1);
    await choose(id, 'drifted', 'use-ours', 2);
    expect([await sent(), (await get(id)).decidedSince]).toEqual([null, 2]);
    expect((await get(id, '/products?from=1')).products).toMatchObject([
      { choice: 'skip', plannedChoice: 'keep-store' },
      { choice: 'use-ours', plannedChoice: null },
    ]);
    await choose(id, 'drifted', 'skip', 2);
    await choose(id, 'drifted', 'keep-store', 1);
    expect([await sent(), (await get(id)).decidedSince]).toEqual([1, 0]);
    await choose(id, 'drifted', 'skip', 1);
    await choose(id, 'drifted', 'use-ours', 2);
    await push(id);
    await reach(id, 'completed');
    expect((await outcomes(id)).map(({ outcome, code }) => code ?? outcome)).toEqual(['drifted', 'updated']);
    expect((await readPlan(id)).compared).toEqual({ asPlanned: 2, otherwise: {} });
  },
);

it.runIf(isLong)(
  'what doesn’t overlap is sent by preference, also when the store’s part was kept before',
  async () => {
    await savePreferences(stack.database.db, { sendNonOverlapping: false });
    const id = await fileOf([
      ['Overlap', '10', 'OV-1', '5', ''],
      ['Beside it', '10', 'OV-2', '5', ''],
    ]);
    await push(id);
    await reach(id, 'completed');
    const unchanged = { outcome: 'unchanged' };
    const [inStore] = await productsNamed('Overlap');
    await stack.store.edit(inStore?.id ?? 0, { title: 'Overlap theirs' });
    await edit(id, 1, { price: '12' });
    expect(await expectAsPlanned(id)).toMatchObject([{ code: 'drifted' }, unchanged]);
    await plan(id);
    const saved = { sendNonOverlapping: true };
    expect((await stack.api.call('POST', '/api/preferences', { body: saved })).body).toMatchObject(saved);
    expect((await get(id)).outdated).toMatchObject({ settings: true });
    try {
      expect(await expectAsPlanned(id)).toMatchObject([
        { outcome: 'updated', message: 'Kept as changed in the store: title.' },
        unchanged,
      ]);
      await edit(id, 1, { price: '13' });
      expect(await expectAsPlanned(id)).toMatchObject([{ outcome: 'updated' }, unchanged]);
      await edit(id, 1, { title: 'Overlap ours' });
      expect(await expectAsPlanned(id)).toMatchObject([{ code: 'drifted' }, unchanged]);
      expect(await productsNamed('Overlap')).toMatchObject([
        { title: 'Overlap theirs', variants: [{ price: '13.00' }] },
      ]);
    } finally {
      await savePreferences(stack.database.db, { sendNonOverlapping: true });
    }
  },
);

it('a product that cannot be taken over can only be skipped, and is asked no more', async () => {
  // Which of its sizes the row is of can't be told by their SKU.
  const variant = { sku: 'BL-1' };
  await createByMerchant(stack, 'Blocked merchant', 'BL-1', { sizes: ['S', 'M'], variant });
  const id = await fileOf([['Blocked ours', '10', 'BL-1', '5', '']]);
  await plan(id);
  expect((await choose(id, 'in-store', 'update', 1)).body).toEqual({ decided: 1, more: false });
  expect((await plan(id)).lines).toMatchObject([{ code: 'blocked', about: 'blocked', choices: 'skip' }]);
  expect((await choose(id, 'blocked', 'send-without')).body).toEqual({ decided: 0, more: false });
  const choices = async () => (await get(id)).decisions[0].choices;
  expect(await choices()).toEqual([
    { choice: 'use-ours', allowed: 0, decided: 0 },
    { choice: 'send-without', allowed: 0, decided: 0 },
    { choice: 'skip', allowed: 1, decided: 0 },
  ]);
  expect((await choose(id, 'blocked', 'skip')).body).toEqual({ decided: 1, more: false });
  expect((await choices())[2]).toEqual({ choice: 'skip', allowed: 0, decided: 1 });
  expect(await expectAsPlanned(id)).toMatchObject([{ code: 'blocked' }]);
  // A push of which nothing arrived has failed: its retry is planned, so that it can be decided about.
  await reach(id, 'failed');
  expect((await plan(id)).lines).toMatchObject([{ about: 'blocked', choice: 'skip' }]);
  expect(await get(id)).toMatchObject({ needDecision: 0 });
});
