import { claimChunk } from '@draftshelf/database/chunks/claim-chunk';
import { completeSplit } from '@draftshelf/database/chunks/complete-split';
import { readRunDialect } from '@draftshelf/database/chunks/runs';
import { onPinnedConnection } from '@draftshelf/database/connection/database';
import { findImport, moveStatus } from '@draftshelf/database/imports/imports';
import { mapHeaders } from '@draftshelf/domain/header-mapping';
import { cancelImport } from '@draftshelf/imports/actions/import-actions';
import { beginReread } from '@draftshelf/imports/reread/begin-reread';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Fixture,
  lockWaiters,
  openFixture,
  productCsv,
  storedImport,
  until,
} from '../../support/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

it('the end of a split and the cancel of its re-read do not deadlock', async () => {
  const { db } = fixture.database;
  const { id } = await storedImport(fixture, { csv: productCsv(3) });
  await moveStatus(db, id, { from: ['processing'], to: 'processed', set: { rows_run: 1 } });
  const dialect = await readRunDialect(db, id, 1);
  expect((await db.transaction().execute((trx) => beginReread(trx, id, dialect))).ok).toBe(true);
  const cut = await db
    .selectFrom('chunks')
    .selectAll()
    .where('import_id', '=', id)
    .where('run', '=', 2)
    .executeTakeFirstOrThrow();
  const held = await claimChunk(db, cut);
  if (!held) throw new Error('The cut was not claimed');

  // The first one to reach the new run waits there until both have begun.
  const letGo = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const holder = onPinnedConnection(fixture.database, ({ db: own }) =>
    own.transaction().execute(async (trx) => {
      await trx
        .selectFrom('runs')
        .select('run')
        .where('import_id', '=', id)
        .where('run', '=', 2)
        .forUpdate()
        .execute();
      holding.resolve();
      await letGo.promise;
    }),
  );
  await holding.promise;
  const cutEnds = db.transaction().execute((trx) =>
    completeSplit(trx, held, {
      parse: { dialect, headers: ['Title'], mapping: mapHeaders(['Title']) },
      chunks: [{ first_row: 1, rows: 3, first_product: 1, products: 3, byte_from: 0, byte_to: 10 }],
      rows: 3,
      products: 3,
    }),
  );
  await until('the cut waits', async () => (await lockWaiters(fixture)) >= 1);
  const cancelled = db.transaction().execute((trx) => cancelImport(trx, id));
  await until('the cancel waits', async () => (await lockWaiters(fixture)) >= 2);
  letGo.resolve();
  await holder;
  const ended = await Promise.allSettled([cutEnds, cancelled]);
  expect(ended.map((one) => (one.status === 'rejected' ? String(one.reason) : 'went through'))).toEqual([
    'went through',
    'went through',
  ]);
  expect((await findImport(db, id))?.status).toBe('processed');
});
