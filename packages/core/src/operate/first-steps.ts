import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { shownImports } from '../imports/shown-imports.ts';

/** `waiting`: the newest import that waits for the operator, and its products with a problem. */
export type FirstSteps = {
  uploaded: boolean;
  fixed: boolean;
  pushed: boolean;
  waiting: { id: string; problems: number } | null;
};

/** Which of the first steps have been done, ever. Each is known from the first row of a table. */
export async function readFirstSteps(db: Db): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    select exists (select 1 from ${shownImports}) as uploaded,
      exists (select 1 from edit_commands where kind in ('single','proposals')) as fixed,
      exists (select 1 from listings where pushed_at is not null) as pushed,
      (select json_build_object('id', id, 'problems', warning_products + error_products) from ${shownImports}
        where status in ('queued','processed') order by created_at desc, id limit 1) as waiting`.execute(db);
  const [steps] = rows;
  if (!steps) throw new Error('The first steps could not be read');
  return steps;
}
