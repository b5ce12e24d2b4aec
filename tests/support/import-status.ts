import type { Fixture } from './fixture.ts';

/** An import's status and nothing else: tests wait for it more often than they run any other statement. */
export async function statusOf({ pool }: Fixture['database'], id: string): Promise<string> {
  const { rows } = await pool.query<{ status: string }>('select status from imports where id = $1', [id]);
  if (!rows[0]) throw new Error('The import is gone');
  return rows[0].status;
}
