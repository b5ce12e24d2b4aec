import { withPinnedConnection } from '@draftshelf/core/connection/database';
import { expect } from 'vitest';
import { createLargeReads } from '../../../apps/api/src/http/turns.ts';
import { until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { test } from '../../support/test.ts';

const open = new AbortController().signal;

test.runIf(isLong)(
  'two large reads run at once, a third one is refused after its wait, and one that nobody waits for ends',
  async ({ fixture: { database } }) => {
    const large = createLargeReads(database.db);
    const read = (signal: AbortSignal) =>
      large(signal, (trx) => trx.selectFrom('rows').select('row').execute());
    await withPinnedConnection(database, async ({ client }) => {
      const waiting = async () => {
        const { rows } = await client.query<{ count: number }>(
          `select count(*)::int as count from pg_locks where relation = 'rows'::regclass and not granted`,
        );
        return rows[0]?.count;
      };
      await client.query('begin');
      await client.query('lock table rows in access exclusive mode');
      const closed = new AbortController();
      const [first, second, third] = [read(open), read(closed.signal), read(open)];
      await until('two reads have begun', async () => (await waiting()) === 2);
      await expect(third).rejects.toMatchObject({ status: 409, body: { code: 'busy' } });
      closed.abort();
      await expect(second).rejects.toThrow('canceling statement due to user request');
      await until('its statement has ended', async () => (await waiting()) === 1);
      const fourth = read(open);
      await until('the next read has begun', async () => (await waiting()) === 2);
      await client.query('rollback');
      expect(await Promise.all([first, fourth])).toEqual([[], []]);
    });
  },
);
