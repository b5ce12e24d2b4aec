import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { FairnessCalls } from './fairness-calls.ts';
import { median, timed } from './figures.ts';

const rounds = 5;
const linesPerChoice = 10_000;

type Measured = {
  database: OpenDatabase;
  calls: FairnessCalls;
  importId: string;
  /** The products of the import, and so of its plan. */
  products: number;
};

/**
 * The first pages of a plan in which all products but the last ten wait for a decision; then a choice about 10,000 of
 * them and its way back, alternately with the same rows written by two plain statements.
 */
export async function measureDecisions(measured: Measured): Promise<void> {
  await makePlan(measured);
  await measurePages(measured);
  await measureChoices(measured);
}

const questions = (products: number) => products - 10;

/** Gives the import such a plan. */
async function makePlan({ database: { pool }, importId, products }: Measured): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    `update previews set previewed_at = now(), shop = coalesce(shop, 'bench'), sums = $2, decisions = $3
     where import_id = $1 and kind = 'push' and replaced_at is null returning id`,
    [
      importId,
      JSON.stringify({ created: 10, 'skipped:drifted': questions(products) }),
      JSON.stringify({ drifted: questions(products) }),
    ],
  );
  const plan = rows[0]?.id;
  await pool.query('delete from preview_lines where preview = $1', [plan]);
  await pool.query('vacuum preview_lines');
  await pool.query(
    `insert into preview_lines (preview, line, action, code, message, facts, store_product_id, change_rank,
       our_id, about, basis, choices)
     select $1, product, 'skipped', 'drifted', 'Changed in the store since the last push (title); left unchanged.',
       '{"parts": ["title"]}', 'gid://shopify/Product/' || product, 0, md5('o' || product)::uuid::text, 'drifted',
       'gid://shopify/Product/' || product || ' ' || md5('b' || product), 'keep-store,use-ours,skip'
     from generate_series(1, $2::int) product`,
    [plan, questions(products)],
  );
  await pool.query(
    `insert into preview_lines (preview, line, action, change_rank)
     select $1, product, 'created', 1 from generate_series($2::int, $3::int) product`,
    [plan, questions(products) + 1, products],
  );
}

async function measurePages({ calls, importId }: Measured): Promise<void> {
  for (const list of [
    '',
    '?action=created',
    '?action=skipped',
    '?action=skipped&code=drifted',
    '?about=drifted',
    '?open=true',
  ]) {
    const page = () => calls.mustDo('GET', `/api/queue/${importId}/plan/products${list}`);
    const first = await timed(page);
    const again: number[] = [];
    while (again.length < rounds) again.push(await timed(page));
    console.log(
      `first page of its lines${list}: ${first.toFixed(0)} ms at first, then ${median(again).toFixed(0)} ms`,
    );
  }
}

async function measureChoices({ database: { pool }, calls, importId, products }: Measured): Promise<void> {
  await pool.query(`
    create table bench_lines (like preview_lines including all);
    create table bench_choices (like push_choices including all);
    insert into bench_lines
      select lines.* from preview_lines lines join previews on previews.id = preview
      where import_id = '${importId}' and kind = 'push' and replaced_at is null order by line limit ${linesPerChoice}`);
  const choose = (choice: string | null) => () =>
    calls.mustDo('POST', `/api/queue/${importId}/plan/choices`, { about: 'drifted', choice });
  const plain =
    (...statements: string[]) =>
    async () => {
      await pool.query(`begin; ${statements.join('; ')}; commit`);
    };
  const took: Record<string, number[]> = {};
  const measure = async (name: string, work: () => Promise<unknown>) => {
    took[name] = [...(took[name] ?? []), await timed(work)];
  };
  for (let round = 1; round <= rounds; round += 1) {
    await measure(
      'two statements',
      plain(
        `update bench_lines set choice = 'use-ours'`,
        `insert into bench_choices (shop, our_id, about, basis, choice, import_id)
       select 'bench', our_id, about, basis, choice, '${importId}' from bench_lines where about is not null order by our_id`,
      ),
    );
    await measure('the choice', choose('use-ours'));
    await measure(
      'two statements back',
      plain('update bench_lines set choice = null', 'delete from bench_choices'),
    );
    await measure('the choice back', choose(null));
  }
  console.log(`choices of ${Math.min(linesPerChoice, questions(products))} lines, medians of ${rounds}:`);
  for (const [name, ms] of Object.entries(took)) {
    console.log(`  ${name}: ${median(ms).toFixed(0)} ms (${ms.map((one) => one.toFixed(0)).join(', ')})`);
  }
  await pool.query('drop table bench_lines, bench_choices');
}
