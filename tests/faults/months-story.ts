import type { JobWithRows } from '@draftshelf/contract/imports/imports';
import type { Plan } from '@draftshelf/contract/push/plan';
import type { RowPage } from '@draftshelf/contract/review/rows';
import { uploadFileDateField } from '@draftshelf/contract/wire';
import { saveSettings } from '@draftshelf/core/access/settings';
import { hasOpenTask } from '@draftshelf/core/work/tasks';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { goneTag } from '@draftshelf/domain/suppliers/gone';
import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import { browserOf, csvForm } from '../support/api-client.ts';
import { until } from '../support/fixture.ts';
import { importSteps, waitMsMax } from '../support/import-steps.ts';
import type { WorkerStack } from '../support/test.ts';
import type { Random } from './fault-random.ts';
import {
  type Account,
  act,
  count,
  inStore,
  isTitleOf,
  newAccount,
  noteWritten,
  type Operator,
  productsOf,
  readShop,
  type Shop,
  type Story,
  say,
} from './months-accounts.ts';
import { answerForLists, countLacked, workOnGone } from './months-gone.ts';
import {
  dropped,
  type Form,
  fileOf,
  homeType,
  type Item,
  isRaised,
  isTyped,
  money,
  newItem,
  nextMonth,
  raisedPrice,
  type Supplier,
  suppliers,
} from './months-lists.ts';

/** What is special about the list of a supplier in a month. */
type Special = {
  form?: Form;
  /** Uploaded before: a list that is cut off at 60 %. */
  cutOff?: true;
  /** Uploaded after: the list of the month before; or this one, under the name of an earlier month. */
  late?: 'rows' | 'name';
  /** The list of the month before is uploaded before this one, and pushed after it. */
  overtaken?: true;
  /** Uploaded twice. */
  twice?: true;
  /** The name of its file; when that was changed last. */
  filename?: string;
  changedAt?: string;
  /** The supplier has given its items other numbers. */
  renumbered?: true;
  /** Two operators work on it at once. */
  byTwo?: true;
  /** Another list of the month is uploaded before another operator says something about this one and pushes it. */
  saidLate?: true;
  /** Items with a price that is typed before, and after, what is done to all of each list; items that are dearer. */
  typedBefore?: readonly number[];
  typedAfter?: readonly number[];
  dearer?: readonly number[];
};
/** `names`: of the suppliers. */
type Played = { months: number; products: number; schedule: Schedule; names: readonly string[] };
/** By month, from 1, and supplier. */
export type Schedule = Readonly<Record<number, Readonly<Record<string, Special>>>>;

/**
 * Some months of suppliers in a new installation, operators who correct, reprice and leave out, and a merchant who
 * publishes, edits, prices, sells and deletes. Returns what a careful person would have done otherwise, and how many
 * decisions each month took.
 */
export async function runMonths(
  stack: WorkerStack,
  random: Random,
  { months, products, schedule, names }: Played,
): Promise<Pick<Story, 'wrong' | 'decisions'>> {
  // A brand that a look-up finds would be no fault, and is none of this.
  await saveSettings(stack.database.db, { upcLookup: false });
  const accounts = suppliers
    .filter(({ name }) => names.includes(name))
    .map((supplier) =>
      newAccount(
        supplier,
        Array.from({ length: products }, (_, at) => newItem(supplier, at + 1, random)),
      ),
    );
  const second = browserOf(stack.api.url);
  await second.login();
  const story: Story = { stack, random, accounts, second, wrong: [], decisions: [] };
  for (let month = 1; month <= months; month += 1) {
    story.decisions.push(0);
    for (const account of accounts) {
      const special = schedule[month]?.[account.supplier.name] ?? {};
      if (month > 1) beginMonth(story, account, special);
      const id = await playMonth(story, account, month, special);
      if (month === 1) await answerForLists(story, account);
      else await workOnGone(story, account, id, month);
    }
    await merchantWorks(story);
  }
  return story;
}

/** The supplier has other prices and items, and maybe other numbers for them. */
function beginMonth({ random }: Story, account: Account, { renumbered, dearer }: Special): void {
  const { supplier, wishes, steady } = account;
  // The cases are the same whatever the random numbers are.
  if (isRenumberedLater(supplier))
    for (const n of [...account.items.map((item) => item.n).filter(hasTypedPrice), ...wishes.leftOut])
      steady.add(n);
  const isRenumbered = renumbered === true || account.items.some(({ n, code }) => n !== code);
  account.items = nextMonth(supplier, account.items, random, { steady, dearer, isRenumbered });
}

const isRenumberedLater = ({ name }: Supplier) => name === 'spree';
/** Items whose price the operator types once, where nothing is done to all prices. */
const hasTypedPrice = (n: number) => n % 7 === 0;

/** Returns the import of the list that is the latest then. */
async function playMonth(story: Story, account: Account, month: number, special: Special): Promise<string> {
  const { supplier, pushed } = account;
  const { form = {}, filename = `${supplier.name}-${month}.csv`, changedAt } = special;
  const before = special.overtaken && fileOf(supplier, pushed, { shuffled: true }, story.random);
  const overtaken = before && (await upload(story, `${supplier.name}-${month}-before.csv`, before));
  const file = fileOf(supplier, account.items, form, story.random);
  if (special.cutOff) await refuseCutOff(story, account, `${supplier.name}-${month}-part.csv`);
  const id = await upload(story, filename, file, changedAt);
  await workOn(story, account, id, month, special);
  const later = special.saidLate && (await sayLate(story, account, id, { month, filename }));
  if (!later) await push(story, account, id, { name: filename, form, byTwo: special.byTwo });
  const again = special.twice && (await upload(story, filename, file));
  if (again) await expectUnchanged(story, again, filename);
  if (overtaken) await refuseOvertaken(story, overtaken, id);
  if (special.late) await refuseLate(story, account, pushed, { month, by: special.late });
  return later ?? again ?? id;
}

/**
 * The next list is uploaded while the last one is worked on. Another operator corrects a title there and pushes it.
 * Then the next one is pushed.
 */
async function sayLate(
  story: Story,
  account: Account,
  id: string,
  { month, filename }: { month: number; filename: string },
): Promise<string> {
  const { supplier, wishes, made, deleted } = account;
  const item = account.items.findLast(
    ({ n, isListed }) => isListed && made.has(n) && !deleted.has(n) && !wishes.titles.has(n),
  ) as Item;
  account.steady.add(item.n);
  const isRenumbered = item.n !== item.code;
  const next = nextMonth(supplier, account.items, story.random, { steady: account.steady, isRenumbered });
  const later = await upload(
    story,
    `${supplier.name}-${month}b.csv`,
    fileOf(supplier, next, {}, story.random),
  );
  const title = `Corrected late ${supplier.name} ${item.n}.`;
  wishes.titles.set(item.n, title);
  const row = (await readRows(story, id)).get(supplier.keyOf(item))?.row;
  const { status } = await story.second.call('PATCH', `/api/queue/${id}/rows/${row}`, {
    body: { values: { title } },
  });
  if (status !== 200) throw new Error(`The other operator cannot correct ${item.title}`);
  await push(story, account, id, { name: filename, form: {} });
  account.items = next;
  await workOn(story, account, later, month, {});
  await push(story, account, later, { name: `${filename}, the next`, form: {} });
  return later;
}

async function upload(
  { stack }: Story,
  filename: string,
  file: Buffer<ArrayBuffer>,
  changedAt?: string,
): Promise<string> {
  const { reach, rested } = importSteps(() => stack);
  const before: Record<string, string> = changedAt === undefined ? {} : { [uploadFileDateField]: changedAt };
  const { status, body } = await stack.api.upload(csvForm(file, { filename, before }));
  if (status !== 200) throw new Error(JSON.stringify(body));
  const { id } = body as { id: string };
  await reach(id, 'queued', 'processed');
  // What is done without asking blocks decisions until it has ended.
  await rested(id);
  return id;
}

async function readJob({ stack }: Story, id: string): Promise<JobWithRows> {
  const { body } = await stack.api.call('GET', `/api/queue/${id}?rows=0`);
  return (body as { job: JobWithRows }).job;
}

/** The rows of an import by the key of their item. */
async function readRows({ stack }: Story, id: string): Promise<Map<string, Row>> {
  const found = new Map<string, Row>();
  for (let after = 0; ; ) {
    const { body } = await stack.api.call('GET', `/api/queue/${id}/rows?limit=200&after=${after}`);
    const { rows } = body as RowPage;
    for (const row of rows) found.set(row.values.sku ?? row.values.itemNumber ?? '', row);
    after = rows.at(-1)?.row ?? 0;
    if (rows.length < 200) return found;
  }
}

/** What the operator does to a list before the push. */
async function workOn(
  story: Story,
  account: Account,
  id: string,
  month: number,
  { form = {}, typedBefore = [], typedAfter = [], byTwo }: Special,
): Promise<void> {
  const { supplier, wishes, items } = account;
  let before = await readJob(story, id);
  if (before.list?.asked) {
    count(story);
    // Two suppliers count from 1001, and a list of prices has nothing else.
    if (form.pricesOnly) await answerWhose(story, account, id);
    else say(story, before.filename, 'was asked whose list it is');
    // Only then is it compared with the list before.
    before = await readJob(story, id);
  }
  if (before.list?.late) {
    count(story);
    say(story, before.filename, `looks late: ${JSON.stringify(before.list.late)}`);
    await act(story, 'PUT', `/api/queue/${id}/list`, { isLatest: true });
  }
  account.id ??= before.list?.supplier?.id ?? null;
  if (before.list?.cutOff) {
    count(story);
    await act(story, 'PUT', `/api/queue/${id}/list`, { isWhole: true });
  }
  const rows = await readRows(story, id);
  if (before.otherCurrency?.answer === null) {
    count(story);
    askOnce(story, account, 'other-currency');
    await act(story, 'POST', `/api/queue/${id}/other-currency`, { answer: 'send' });
  }
  await decideConflicts(story, account, id, rows);
  if (!form.pricesOnly) await judgeStatuses(story, account, id, rows);
  if (form.pricesOnly) {
    if ((await recipesOf(story, id)).length > 0) await answerRecipes(story, id, []);
    return;
  }
  const open = items.filter(
    ({ n, isListed }) =>
      isListed && !wishes.titles.has(n) && !wishes.leftOut.has(n) && !account.deleted.has(n),
  );
  const part = Math.max(1, Math.round(items.length / 10));
  const operators = byTwo ? [story.stack.api, story.second] : [story.stack.api];
  await inTurn(open.slice(0, part), operators, async (item, by) => {
    const row = rows.get(supplier.keyOf(item));
    if (!row) return;
    const title = `Corrected ${month} ${supplier.name} ${item.n}.`;
    wishes.titles.set(item.n, title);
    await act(story, 'PATCH', `/api/queue/${id}/rows/${row.row}`, { values: { title } }, by);
  });
  const typed = async (n: number) => {
    const item = items[n - 1] as Item;
    return typePrice(story, id, rows.get(supplier.keyOf(item)) as Row, item);
  };
  for (const n of typedBefore) wishes.prices.set(n, raisedPrice(await typed(n)));
  if (!isRaised(supplier) && supplier.variants === 1) await typePrices(story, account, id, rows);
  for (const { n } of open.filter((item) => !account.made.has(item.n)).slice(-Math.ceil(part / 2))) {
    const row = rows.get(supplier.keyOf(items[n - 1] as Item));
    if (!row || supplier.variants > 1 || wishes.titles.has(n)) continue;
    wishes.leftOut.add(n);
    await act(story, 'PATCH', `/api/queue/${id}/rows/${row.row}`, { leaveOut: true });
  }
  if (supplier.repeats) await repeat(story, account, supplier.repeats, id, month);
  for (const n of typedAfter) wishes.prices.set(n, await typed(n));
}

/** Operators share items, and each works on one after the other. */
async function inTurn<T>(
  items: readonly T[],
  operators: readonly Operator[],
  work: (item: T, by: Operator) => Promise<void>,
): Promise<void> {
  const share = async (by: Operator, own: number) => {
    for (const [at, item] of items.entries()) if (at % operators.length === own) await work(item, by);
  };
  await Promise.all(operators.map(share));
}

/** The operator says that a list is that of the supplier's lists before. Until then it is not pushed. */
async function answerWhose(story: Story, account: Account, id: string): Promise<void> {
  askOnce(story, account, 'whose list it is');
  await expectRefused(story, id, 'whose list this is');
  await act(story, 'PUT', `/api/queue/${id}/supplier`, { supplier: account.id });
  const { reach, rested } = importSteps(() => story.stack);
  await reach(id, 'queued', 'processed');
  // What is done to all of the supplier's lists begins then.
  await rested(id);
}

async function expectRefused(story: Story, id: string, words: string): Promise<void> {
  const { status, body } = await story.stack.api.call('POST', `/api/queue/${id}/push`, { body: {} });
  if (status !== 409 || !JSON.stringify(body).includes(words))
    say(story, id, `is not refused by “${words}”, but ${status}: ${JSON.stringify(body)}`);
}

async function typePrices(
  story: Story,
  { supplier, items, wishes }: Account,
  id: string,
  rows: Map<string, Row>,
): Promise<void> {
  const candidates = items.filter(
    ({ n, isListed }) => isListed && hasTypedPrice(n) && !wishes.prices.has(n) && !wishes.leftOut.has(n),
  );
  for (const item of candidates.slice(0, 3)) {
    const row = rows.get(supplier.keyOf(item));
    if (row) wishes.prices.set(item.n, await typePrice(story, id, row, item));
  }
}

type Row = RowPage['rows'][number];

/** Returns the price in cents. */
async function typePrice(story: Story, id: string, { row }: Row, { price }: Item): Promise<number> {
  await act(story, 'PATCH', `/api/queue/${id}/rows/${row}`, { values: { price: money(price + 133) } });
  return price + 133;
}

/** The operator does a command to all of the first list, and the same to each later one. */
async function repeat(
  story: Story,
  { supplier, isRepeated, id: of }: Account,
  operations: readonly Operation[],
  id: string,
  month: number,
): Promise<void> {
  const offered = await recipesOf(story, id);
  const isAlways = supplier.alwaysFrom !== undefined && month > supplier.alwaysFrom;
  if (isRepeated && offered.length !== (isAlways ? 0 : 1))
    say(story, `${supplier.name}-${month}`, `offers ${offered.length} changes of the list before`);
  if (isAlways) return;
  const [recipe] = offered;
  if (recipe && month === supplier.alwaysFrom) {
    const { version } = recipe;
    await act(story, 'PATCH', `/api/suppliers/${of}/recipes/${recipe.id}`, { version, asks: 'always' });
  }
  if (offered.length > 0) await answerRecipes(story, id, offered);
  else await act(story, 'POST', `/api/queue/${id}/edits`, { target: {}, operations });
}

type Recipe = { id: string; version: number };

const recipesOf = async ({ stack }: Story, id: string) =>
  ((await stack.api.call('GET', `/api/queue/${id}/recipes`)).body as { recipes: Recipe[] }).recipes;

/** Does recipes again; none: not this time. */
async function answerRecipes(story: Story, id: string, done: readonly { id: string }[]): Promise<void> {
  const { db } = story.stack.database;
  await act(story, 'POST', `/api/queue/${id}/recipes`, { do: done.map((recipe) => ({ id: recipe.id })) });
  for (const task of ['apply-recipes', 'apply-command'] as const)
    await until(`${task} has ended`, async () => !(await hasOpenTask(db, id, task)), waitMsMax);
}

/** A question whose answer holds for the supplier's next lists. */
function askOnce(story: Story, { supplier, asked }: Account, about: string): void {
  if (asked.has(about)) say(story, supplier.name, `is asked about ${about} again`);
  asked.add(about);
}

/** Where the supplier has changed what the operator had changed, the operator takes every second value of his. */
async function decideConflicts(
  story: Story,
  { supplier, items, wishes }: Account,
  id: string,
  rows: Map<string, Row>,
): Promise<void> {
  const byRow = new Map([...rows].map(([key, { row }]) => [row, key]));
  for (const { id: proposal, row, field } of await proposalsOf(story, id)) {
    const item = items.find((listed) => supplier.keyOf(listed) === byRow.get(row));
    if (!item) throw new Error(`Row ${row}, of which ${field} is proposed, is none of ${supplier.name}`);
    count(story);
    const decision = item.n % 2 === 0 ? 'dismiss' : 'take';
    await act(story, 'POST', `/api/queue/${id}/proposals/${proposal}`, { action: decision });
    if (decision === 'dismiss') continue;
    if (field === 'title') wishes.titles.delete(item.n);
    else wishes.prices.delete(item.n);
  }
}

/**
 * The status before is proposed for products that got another one because no list had them, and for no others. Where
 * the merchant has changed it since, it may be.
 */
async function judgeStatuses(
  story: Story,
  account: Account,
  id: string,
  rows: Map<string, Row>,
): Promise<void> {
  const { supplier, items, lacked, goneStatus } = account;
  const back = items.filter(({ n, isListed }) => isListed && lacked.has(n) && goneStatus.has(n));
  const shop = await readShop(story.stack);
  const isAsLeft = (item: Item) =>
    productsOf(shop, account, item)[0]?.status ===
    (goneStatus.get(item.n) === 'draft' ? 'DRAFT' : 'ARCHIVED');
  const found = await proposalsOf(story, id, 'back');
  const proposed = new Set(found.map(({ row }) => row));
  const isProposed = (item: Item) => proposed.has(rows.get(supplier.keyOf(item))?.row ?? 0);
  expectAsked(story, `${supplier.name}, statuses`, items.filter(isProposed), {
    must: back.filter(isAsLeft),
    may: back,
  });
  for (const { n } of back) goneStatus.delete(n);
  // Else it is proposed again with each list.
  for (const { id: proposal } of found)
    await act(story, 'POST', `/api/queue/${id}/proposals/${proposal}`, { action: 'dismiss' });
}

type Proposed = { id: number; row: number; field: string };

async function proposalsOf(
  { stack }: Story,
  id: string,
  source: 'supplier' | 'back' = 'supplier',
): Promise<Proposed[]> {
  const found: Proposed[] = [];
  for (;;) {
    const path = `/api/queue/${id}/proposals?source=${source}&after=${found.at(-1)?.id ?? 0}`;
    const { proposals } = (await stack.api.call('GET', path)).body as { proposals: Proposed[] };
    if (proposals.length === 0) return found;
    found.push(...proposals);
  }
}

/** Pushes a list and compares the whole store with what it should be. */
async function push(
  story: Story,
  account: Account,
  id: string,
  { name, form, byTwo }: { name: string; form: Form; byTwo?: true | undefined },
): Promise<void> {
  const { stack } = story;
  const { reach } = importSteps(() => stack);
  const before = await readShop(stack);
  await answerPlan(story, account, id, form);
  if (byTwo) await pushByTwo(story, id);
  else await act(story, 'POST', `/api/queue/${id}/push`, {});
  const { status, error_message } = await reach(id, 'completed', 'queued', 'processed', 'failed');
  if (status === 'failed') say(story, name, `failed: ${error_message}`);
  const after = await readShop(stack);
  judge(story, account, { before, after }, { name, form });
  noteWritten(account, { before, after });
  countLacked(account, form);
  account.pushed = account.items;
  account.isRepeated = account.supplier.repeats !== undefined && !form.pricesOnly;
}

/** Both operators push it: one push begins. */
async function pushByTwo(story: Story, id: string): Promise<void> {
  const { stack, second } = story;
  const path = `/api/queue/${id}/push`;
  const answers = await Promise.all([stack.api, second].map((by) => by.call('POST', path, { body: {} })));
  const begun = answers.filter(({ status }) => status < 300).length;
  if (begun !== 1) say(story, id, `is pushed ${begun} times at once: ${JSON.stringify(answers)}`);
}

/**
 * What a careful person answers: another supplier's product is another product, what the merchant deleted stays so, and
 * a quantity that was sold and that the list changes is the list's. A price of the merchant's stays.
 */
const answers: Partial<Record<Plan['decisions'][number]['about'], string>> = {
  'in-store': 'create',
  'deleted-in-store': 'skip',
  'not-sent': 'use-ours',
  drifted: 'keep-store',
};

/** Answers what the plan asks. */
async function answerPlan(story: Story, account: Account, id: string, form: Form): Promise<void> {
  const { stack } = story;
  await act(story, 'POST', `/api/queue/${id}/plan`, {});
  for (;;) {
    const { body } = await stack.api.call('GET', `/api/queue/${id}/plan`);
    const plan = body as Plan;
    if (plan.state === 'failed') throw new Error(plan.message ?? 'The plan failed');
    if (plan.state !== 'ready') continue;
    await noteKept(story, account, { id, form });
    for (const { about, open } of plan.decisions) {
      if (open === 0) continue;
      const choice = answers[about];
      if (choice === undefined) say(story, id, `asks about ${open} products: ${about}`);
      else {
        count(story);
        if (about === 'deleted-in-store') {
          const { unasked, items } = account;
          const asked = items.filter(({ n, isListed }) => isListed && unasked.has(n));
          if (open !== asked.length)
            say(story, id, `asks about ${open} deleted products, and ${asked.length} were deleted since`);
          for (const { n } of asked) unasked.delete(n);
        } else if (about !== 'drifted') askOnce(story, account, about);
        if (about === 'not-sent') account.isStockSettled = true;
        await act(story, 'POST', `/api/queue/${id}/plan/choices`, { about, choice });
      }
    }
    return;
  }
}

/**
 * The operator is asked about a price of the merchant's when ours changes, until one of both changes again. Prices that
 * were answered before are asked about again only if others were answered in between.
 */
async function noteKept(
  story: Story,
  account: Account,
  { id, form }: { id: string; form: Form },
): Promise<void> {
  const { supplier, keptPrices, sentPrices } = account;
  const priced = account.items.filter((item) => hasOpenPrice(account, item));
  const isAnswered = (item: Item) => keptPrices.get(item.n)?.includes(pairOf(account, item, form));
  const must = priced.filter(
    (item) => sentPrices.get(item.n) !== ourPrice(account, item, form) && !isAnswered(item),
  );
  const isOther = (item: Item) =>
    keptPrices.has(item.n) && keptPrices.get(item.n)?.at(-1) !== pairOf(account, item, form);
  const asked = await readAsked(story, account, id);
  expectAsked(story, `${supplier.name}, changed in the store`, asked, {
    must,
    may: [...must, ...priced.filter(isOther)],
  });
  for (const item of asked)
    keptPrices.set(item.n, [...(keptPrices.get(item.n) ?? []), pairOf(account, item, form)]);
}

/** Compares the items that something is asked about with those that it must and may be asked about. */
function expectAsked(
  story: Story,
  about: string,
  asked: readonly Item[],
  { must, may }: { must: readonly Item[]; may: readonly Item[] },
): void {
  const needless = asked.filter((item) => !may.includes(item));
  const lacking = must.filter((item) => !asked.includes(item));
  const numbers = (items: readonly Item[]) => items.map(({ n }) => n).join(', ') || 'none';
  if (needless.length + lacking.length > 0)
    say(
      story,
      `${about} in month ${story.decisions.length}`,
      `asks needlessly about ${numbers(needless)}, and not about ${numbers(lacking)}`,
    );
}

/** The items whose products wait for a decision because they were changed in the store. */
async function readAsked(story: Story, { supplier, items }: Account, id: string): Promise<Item[]> {
  const titles: string[] = [];
  for (let after: number | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const query = `about=drifted&open=true${after === null ? '' : `&after=${after}`}`;
    const page = (await act(story, 'GET', `/api/queue/${id}/plan/products?${query}`)) as PlannedPage;
    titles.push(...page.products.map(({ title }) => title ?? ''));
    after = page.next;
  }
  return items.filter((item) =>
    titles.some((title) => title === supplier.keyOf(item) || isTitleOf(title, supplier, item)),
  );
}

type PlannedPage = { products: { title: string | null }[]; next: number | null };

const pairOf = (account: Account, item: Item, form: Form): string =>
  `${ourPrice(account, item, form)} ${account.priced.get(item.n)}`;

/** Whether the merchant has set the price of an item that is sent. */
const hasOpenPrice = ({ priced, wishes, deleted }: Account, { n, isListed }: Item): boolean =>
  isListed && !wishes.leftOut.has(n) && !deleted.has(n) && priced.has(n);

/** The price that we send. */
function ourPrice({ supplier, wishes }: Account, { n, price }: Item, form: Form): string {
  const listed = isRaised(supplier) && !form.pricesOnly ? raisedPrice(price) : price;
  return money(wishes.prices.get(n) ?? listed);
}

function judge(
  story: Story,
  account: Account,
  { before, after }: { before: Shop; after: Shop },
  { name, form }: { name: string; form: Form },
): void {
  const { supplier, items, wishes, made, deleted } = account;
  const touched = new Set<number>();
  for (const item of items) {
    const { n } = item;
    const wrong = (text: string) => say(story, name, `${supplier.keyOf(item)} ${text}`);
    const [product, ...others] = productsOf(after, account, item);
    if (others.length > 0) wrong(`is ${others.length + 1} times in the store`);
    if (product) touched.add(product.id);
    if (deleted.has(n)) {
      if (product) wrong('was made again although the merchant deleted it');
      continue;
    }
    const isMade = made.has(n) || (item.isListed && !wishes.leftOut.has(n) && !form.pricesOnly);
    if (!isMade) {
      if (product) wrong(wishes.leftOut.has(n) ? 'was left out and is in the store' : 'is in the store');
      continue;
    }
    if (!product) {
      wrong('is not in the store');
      continue;
    }
    made.add(n);
    const isSent = item.isListed && !wishes.leftOut.has(n);
    const known = before.get(product.id);
    const expected = isSent ? expectedOf(account, item, { known, form }) : undefined;
    for (const text of differences(product, expected ?? known)) wrong(text);
    if (expected) noteQuantity(account, item, product);
    if (expected && !account.priced.has(n)) account.sentPrices.set(n, ourPrice(account, item, form));
  }
  for (const [id, product] of before) {
    if (touched.has(id)) continue;
    if (JSON.stringify(after.get(id)) !== JSON.stringify(product))
      say(story, name, `changed “${product.title}”, which is not its own`);
  }
  const strangers = [...after.values()].filter(({ id }) => !before.has(id) && !touched.has(id));
  for (const { title } of strangers) say(story, name, `made “${title}”`);
}

type Expected = {
  title: string;
  /** Of the first variant, and of the others. */
  price: string;
  otherPrice: string;
  sku: string;
  /** Of the first variant, one of these; and of others, which nobody sells. */
  quantities: readonly number[];
  others: number;
  /** Null: what our rules make of it. */
  type: string | null;
  rest: StoredProduct | undefined;
};

/** What a careful person would have in the store. */
function expectedOf(
  account: Account,
  item: Item,
  { known, form }: { known: StoredProduct | undefined; form: Form },
): Expected {
  const { supplier, wishes } = account;
  const ours = ourPrice(account, item, form);
  return {
    title: wishes.titles.get(item.n) ?? (form.pricesOnly ? (known?.title ?? item.title) : item.title),
    price: account.priced.get(item.n) ?? ours,
    otherPrice: ours,
    sku: supplier.keyOf(item),
    quantities: known ? expectedQuantities(account, item, known) : [item.quantity],
    others: item.quantity,
    type: isTyped(supplier) ? homeType : null,
    // A list has it again.
    rest: known && { ...known, tags: known.tags.filter((tag) => tag !== goneTag) },
  };
}

/** A number of the supplier is set over a sale only if the operator has said so, or if a push has seen the sale. */
function expectedQuantities(account: Account, { n, quantity }: Item, { variants }: StoredProduct): number[] {
  const { sent, shown, refused, written, isStockSettled } = account;
  const now = variants[0]?.quantity ?? 0;
  if (sent.get(n) === quantity) return [now];
  const before = refused.get(n);
  if (isStockSettled) return [quantity];
  if (before?.quantity === quantity) return [now === before.last ? quantity : now];
  if (now === written.get(n)?.quantity) return [quantity];
  return now === shown.get(n)?.quantity ? [now, quantity] : [now];
}

/** Notes what the push of an item has made of its quantity. */
function noteQuantity(account: Account, { n, quantity }: Item, product: StoredProduct): void {
  const { sent, shown, refused, written } = account;
  const { quantity: now } = inStore(product);
  if (sent.get(n) !== quantity && now !== quantity) {
    const last = written.get(n)?.quantity ?? 0;
    if (refused.get(n)?.quantity !== quantity) refused.set(n, { quantity, last });
  } else {
    sent.set(n, quantity);
    refused.delete(n);
  }
  shown.set(n, inStore(product));
}

/** What of a product is not as expected: title, price and stock, and all that nobody has changed. */
function differences(product: StoredProduct, expected: Expected | StoredProduct | undefined): string[] {
  if (!expected) return [];
  if (!('rest' in expected)) return restOf(product) === restOf(expected) ? [] : ['was changed'];
  const { title, price, otherPrice, sku, quantities, others, type, rest } = expected;
  const found: string[] = [];
  if (product.title !== title) found.push(`is “${product.title}”, should be “${title}”`);
  if (type !== null && product.productType !== type)
    found.push(`is of type “${product.productType}”, not “${type}”`);
  for (const variant of product.variants) {
    const isFirst = variant === product.variants[0];
    const shouldCost = isFirst ? price : otherPrice;
    if (variant.price !== shouldCost) found.push(`costs ${variant.price}, should cost ${shouldCost}`);
    if (isFirst && variant.sku !== sku) found.push(`has the SKU ${variant.sku}, should have ${sku}`);
    const stock = isFirst ? quantities : [others];
    if (!stock.includes(variant.quantity))
      found.push(`has ${variant.quantity}, should have ${stock.join(' or ')}`);
  }
  if (rest && unlisted(product) !== unlisted(rest))
    found.push(`is ${unlisted(product)}, was ${unlisted(rest)}`);
  return found;
}

const restOf = ({ updatedAtMs: _, ...product }: StoredProduct) => JSON.stringify(product);

/** All of a product but what the supplier's lists and our own notes say. */
function unlisted(product: StoredProduct): string {
  const { updatedAtMs: _, title: _title, metafields, changes: _changes, variants, ...rest } = product;
  const own = metafields.filter(({ namespace }) => namespace !== 'scd' && !namespace.startsWith('$app'));
  const kept = variants.map(
    ({ price: _price, sku: _sku, quantity: _quantity, quantities: _all, ...variant }) => variant,
  );
  return JSON.stringify([rest, own, kept]);
}

/** The same bytes again change nothing and ask nothing, and are no further list that lacks a product. */
async function expectUnchanged(story: Story, id: string, name: string): Promise<void> {
  const job = await readJob(story, id);
  if (job.otherCurrency?.answer === null) say(story, name, 'asks for the currency again');
  const { stack } = story;
  const before = await readShop(stack);
  await act(story, 'POST', `/api/queue/${id}/push`, {});
  await importSteps(() => stack).reach(id, 'completed', 'queued', 'processed', 'failed');
  const after = await readShop(stack);
  if (JSON.stringify([...before]) !== JSON.stringify([...after])) say(story, name, 'again changed the store');
}

async function refuseCutOff(story: Story, { supplier, items }: Account, name: string): Promise<void> {
  const listed = items.filter(({ isListed }) => isListed).length;
  const id = await upload(story, name, fileOf(supplier, items, {}, story.random, Math.floor(listed * 0.6)));
  const { list } = await readJob(story, id);
  if (!list?.cutOff) say(story, name, `is not noticed as cut off: ${JSON.stringify(list)}`);
  await act(story, 'POST', `/api/queue/${id}/cancel`, {});
}

/** A list that a later one has overtaken is not pushed before the operator has said which is the latest. */
async function refuseOvertaken(story: Story, id: string, by: string): Promise<void> {
  await importSteps(() => story.stack).rested(by);
  await expectRefused(story, id, 'came later and has been pushed');
  count(story);
  await act(story, 'PUT', `/api/queue/${id}/list`, { isLatest: false });
  await act(story, 'POST', `/api/queue/${id}/cancel`, {});
}

/** A late list is noticed by what its rows go back to, or by the month in its name alone. */
async function refuseLate(
  story: Story,
  { supplier, items }: Account,
  before: readonly Item[],
  { month, by }: { month: number; by: 'rows' | 'name' },
): Promise<void> {
  const name = by === 'rows' ? `${supplier.name}-late-${month}.csv` : `${supplier.name} 2026-01.csv`;
  const form = { shuffled: true };
  const id = await upload(story, name, fileOf(supplier, by === 'rows' ? before : items, form, story.random));
  const { list } = await readJob(story, id);
  if (!list?.late) say(story, name, `is not noticed as late: ${JSON.stringify(list)}`);
  count(story);
  await act(story, 'PUT', `/api/queue/${id}/list`, { isLatest: false });
  await act(story, 'POST', `/api/queue/${id}/cancel`, {});
}

/** Once a month: products are published, taken off sale, described, priced, sold, restocked, tagged and deleted. */
async function merchantWorks({ stack, random, accounts }: Story): Promise<void> {
  const shop = await readShop(stack);
  for (const account of accounts) {
    const numbers = [...account.made].filter((n) => !account.deleted.has(n));
    const some = (share: number) => numbers.filter(() => random.between(0, 1) < share);
    const edit = async (n: number, change: (product: StoredProduct) => object) => {
      const [product] = productsOf(shop, account, account.items[n - 1] as Item);
      if (product) await stack.store.edit(product.id, change(product));
    };
    const [published = 0, sold = 0] = dropped;
    for (const n of [published, ...some(0.3)]) await edit(n, () => ({ status: 'ACTIVE', published: true }));
    for (const n of some(0.04)) await edit(n, () => ({ status: 'DRAFT' }));
    for (const n of some(0.05))
      await edit(n, () => ({ descriptionHtml: `<p>The merchant’s words ${n}.</p>` }));
    for (const n of some(0.05)) await edit(n, ({ tags }) => ({ tags: [...tags, 'window'] }));
    for (const n of some(0.2))
      await edit(n, ({ variants: [first] }) => ({ quantity: Math.max(0, (first?.quantity ?? 0) - 2) }));
    await edit(sold, ({ variants: [first] }) => ({ quantity: Math.max(1, (first?.quantity ?? 0) - 1) }));
    for (const n of some(0.04))
      await edit(n, ({ variants: [first] }) => ({ quantity: (first?.quantity ?? 0) + 9 }));
    const isOfCase = (n: number) =>
      account.steady.has(n) || (isRenumberedLater(account.supplier) && hasTypedPrice(n));
    const others = numbers.filter((n) => !isOfCase(n));
    const free = others.filter((n) => !account.wishes.prices.has(n) && !account.wishes.leftOut.has(n));
    for (const n of free.toSorted(() => random.between(0, 1) - 0.5).slice(0, 2)) {
      const price = `${Math.floor(random.between(100, 200))}.37`;
      account.priced.set(n, price);
      await edit(n, () => ({ price }));
    }
    const deleted = others.toSorted(() => random.between(0, 1) - 0.5).slice(0, numbers.length > 50 ? 2 : 1);
    for (const n of deleted) {
      await edit(n, () => ({ deleted: true }));
      account.deleted.add(n);
      account.unasked.add(n);
    }
  }
}
