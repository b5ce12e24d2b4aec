import { ownAnswersSource, type SourceAnswer } from '@draftshelf/domain/enrich/sources';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { changeRows, hasRows, queryRows, queryValues } from '../connection/query-rows.ts';
import { storableJson } from '../connection/storable-json.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { type AdmittedCall, type CallReply, updateSourceByReply } from './admit-calls.ts';
import { type CachedAnswer, hasStoreAnswers, readStoreAnswers } from './store-answers.ts';

const hitDays = 180;
const missDays = 30;
/** Failed attempts after which a look-up of a GTIN waits a day before its next retry. */
const attemptsMax = 5;
const failedDays = 1;

/** Reads valid answers about GTINs: the operator's own, then the connected store's, then the sources' in order. */
export async function readLookupAnswers(db: Db, gtins: readonly string[]): Promise<CachedAnswer[]> {
  if (gtins.length === 0) return [];
  const [answers, inStore] = [await readSourceAnswers(db, gtins), await readStoreAnswers(db, gtins)];
  const isOwn = ({ source }: CachedAnswer) => source === ownAnswersSource;
  return [...answers.filter(isOwn), ...inStore, ...answers.filter((answer) => !isOwn(answer))];
}

const readSourceAnswers = (db: Db, gtins: readonly string[]) =>
  queryRows<CachedAnswer>(db)`
    select gtin, source, answer from lookups left join sources on sources.name = lookups.source
    where gtin = any(${gtins}::text[]) and state = 'hit' and (expires_at is null or expires_at > now())
    order by gtin, position, source`;

/** Returns whether any answer exists. With neither answers nor sources, look-ups would find nothing. */
export async function hasLookupAnswers(db: Db): Promise<boolean> {
  return (await hasRows(db)`select from lookups limit 1`) || (await hasStoreAnswers(db));
}

/** Queues look-ups for GTINs at these sources. Valid answers and queued look-ups stay. */
export async function queueLookups(
  db: Db,
  gtins: readonly string[],
  sources: readonly string[],
): Promise<void> {
  if (gtins.length === 0 || sources.length === 0) return;
  const sorted = [...new Set(gtins)].sort();
  await sql`
    insert into lookups (gtin, source, state)
    select gtin, source, 'wanted'
    from unnest(${sorted}::text[]) as gtins (gtin) cross join unnest(${sources}::text[]) as named (source)
    order by gtin, source
    on conflict (gtin, source) do update set state = 'wanted', attempts = 0, not_before = null, error = null
    where lookups.state = 'covered' or lookups.expires_at <= now()`.execute(db);
}

/** Stores a hit, or a miss if `answer` is null. Stores nothing if the address of the source has changed. */
async function storeAnswer(
  db: Db,
  { gtin, source, baseUrl }: { gtin: string; source: string; baseUrl: string },
  answer: SourceAnswer | null,
): Promise<void> {
  await sql`
    update lookups set state = ${answer === null ? 'miss' : 'hit'}, answer = ${answer && storableJson(answer)}::json,
      answered_at = now(), expires_at = now() + ${answer === null ? missDays : hitDays} * interval '1 day',
      applied = false, not_before = null, error = null
    where gtin = ${gtin} and source = ${source}
      and exists (select 1 from sources where name = ${source} and base_url = ${baseUrl})`.execute(db);
}

/** Requeues a look-up that got no answer. If `counted`, adds an attempt and doubles the pause before a retry. */
export async function requeueLookup(
  db: Db,
  { gtin, source }: { gtin: string; source: string },
  { cause, counted }: { cause: string; counted: boolean },
): Promise<void> {
  await changeRows(db)`
    update lookups set error = ${cause}, asked_at = null, attempts = attempts + ${counted ? 1 : 0},
      state = case when ${counted} and attempts + 1 >= ${attemptsMax} then 'failed' else 'wanted' end,
      expires_at = case when ${counted} and attempts + 1 >= ${attemptsMax} then now() + ${failedDays} * interval '1 day' end,
      not_before = case when ${counted} then
        clock_timestamp() + sources.retry_ms * power(2, attempts) * interval '1 millisecond' end
    from sources
    where sources.name = lookups.source and gtin = ${gtin} and source = ${source} and state = 'asking'`;
}

/** Lists GTINs whose answers have not been applied yet, for example because a worker was killed. */
export const listUnappliedAnswers = (db: Db, source: string, limit: number) =>
  queryValues<string>(db)`
    select gtin from lookups where source = ${source} and not applied limit ${limit}`;

export async function markAnswersApplied(db: Db, source: string, gtins: readonly string[]): Promise<void> {
  await sql`
    update lookups set applied = true where source = ${source} and gtin = any(${gtins}::text[])`.execute(db);
}

/** Marks queued look-ups as covered if no product with their GTIN lacks anything. */
export async function markLookupsCovered(db: Db, gtins: readonly string[]): Promise<void> {
  if (gtins.length === 0) return;
  await sql`
    update lookups set state = 'covered' from (
      select gtin, source from lookups open
      where gtin = any(${gtins}::text[]) and state = 'wanted'
        and not exists (select 1 from product_lacks where product_lacks.gtin = open.gtin)
      order by gtin, source for update
    ) known
    where lookups.gtin = known.gtin and lookups.source = known.source`.execute(db);
}

/** Deletes cached answers of one source, or of all if null. Returns their number. Products keep their values. */
export const purgeAnswers = (db: Db, source: string | null) =>
  changeRows(db)`
    delete from lookups where source <> ${ownAnswersSource} and state in ('hit', 'miss', 'failed', 'covered')
      and ${source === null ? sql`true` : sql`source = ${source}`}`;

export type OwnAnswer = { gtin: string; answer: Partial<SourceAnswer> };

/** Stores product values as the operator's own answers, by GTIN. A value replaces the earlier value of its field. */
export async function learnValues(db: Db, values: readonly OwnAnswer[]): Promise<void> {
  const learned = byGtin(values);
  if (learned.length === 0) return;
  const nothing: SourceAnswer = {
    ...{ title: null, brand: null, description: null, category: null, images: [] },
    ...{ attribution: null, picturesNeedCredit: false },
  };
  await changeRows(db)`
    insert into lookups (gtin, source, state, answered_at, answer)
    select gtin, ${ownAnswersSource}, 'hit', now(), (${storableJson(nothing)}::jsonb || answer::jsonb)::json
    from ${unnestRows('learned', learned, { gtin: 'text', answer: 'text' })}
    on conflict (gtin, source) do update set answered_at = now(),
      answer = (lookups.answer::jsonb || jsonb_strip_nulls(excluded.answer::jsonb)
        - case when json_array_length(excluded.answer->'images') = 0 then 'images' else '' end)::json`;
}

/** Removes values from the operator's own answers. Values that were replaced in the meantime stay. */
export async function forgetLearnedValues(db: Db, values: readonly OwnAnswer[]): Promise<void> {
  const forgotten = byGtin(values);
  if (forgotten.length === 0) return;
  await sql`
    with own as (
      select lookups.gtin, forgotten.answer::jsonb as forgotten
      from ${unnestRows('forgotten', forgotten, { gtin: 'text', answer: 'text' })} join lookups using (gtin)
      where source = ${ownAnswersSource} order by gtin for update of lookups
    )
    update lookups set answer = (answer::jsonb || (
      select coalesce(jsonb_object_agg(key, case key when 'images' then '[]' else 'null' end::jsonb), '{}')
      from jsonb_each(own.forgotten) where answer::jsonb -> key = value))::json
    from own where lookups.gtin = own.gtin and source = ${ownAnswersSource}`.execute(db);
  await sql`
    delete from lookups where source = ${ownAnswersSource} and gtin = any(${values.map(({ gtin }) => gtin)}::text[])
      and coalesce(answer->>'brand', answer->>'description', answer->>'category') is null
      and json_array_length(answer->'images') = 0`.execute(db);
}

/** Merges values into one answer per GTIN, sorted by GTIN. The last value of a field is used. */
function byGtin(values: readonly OwnAnswer[]): { gtin: string; answer: string }[] {
  const merged = new Map<string, Partial<SourceAnswer>>();
  for (const { gtin, answer } of values) merged.set(gtin, { ...merged.get(gtin), ...answer });
  return [...merged]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([gtin, answer]) => ({ gtin, answer: storableJson(answer) }));
}

/** Stores a source's reply to an admitted call: the answer about the GTIN and the state of the source. */
export async function recordReply(
  db: Db,
  source: { name: string; baseUrl: string },
  call: AdmittedCall,
  { reply, left }: CallReply,
): Promise<void> {
  const lookup = { gtin: call.gtin, source: source.name, baseUrl: source.baseUrl };
  await updateSourceByReply(db, source.name, call, { reply, left });
  switch (reply.kind) {
    case 'hit':
      return storeAnswer(db, lookup, reply.answer);
    case 'miss':
      return storeAnswer(db, lookup, null);
    case 'quota':
      return requeueLookup(db, lookup, { cause: 'The quota was used up.', counted: false });
    case 'failure':
      return requeueLookup(db, lookup, { cause: reply.cause, counted: true });
  }
}
