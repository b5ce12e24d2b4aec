import type pg from 'pg';
import { until } from './fixture.ts';

type Recorded = { kind: string; client: string; detail: string | null; import_id: string | null };

/** The newest security event of a kind. Waits for it, because the api stores events in the background. */
export async function recordedEvent(pool: pg.Pool, kind: string): Promise<Recorded> {
  let found: Recorded | undefined;
  await until(`${kind} is recorded`, async () => {
    const { rows } = await pool.query<Recorded>(
      'select kind, client, detail, import_id from security_events where kind = $1 order by id desc limit 1',
      [kind],
    );
    found = rows[0];
    return found !== undefined;
  });
  return found as Recorded;
}
