import { type RawBuilder, sql } from 'kysely';
import { storableJson } from '../../connection/storable-json.ts';

/** SQL value: the counts by key in a JSON column with others added, without those of 0. `column`: with its table. */
export const summedCounts = (
  column: string,
  counts: Readonly<Record<string, number>>,
): RawBuilder<unknown> => sql`
  (select coalesce(json_object_agg(key, products), '{}') from (
    select key, sum(value::int) as products from (
      select * from json_each_text(${sql.ref(column)})
      union all select * from json_each_text(${storableJson(counts)}::json)
    ) both_counts group by key having sum(value::int) <> 0) summed)`;
