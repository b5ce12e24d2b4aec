import { saveSettings } from '@draftshelf/core/access/settings';
import type { Fixture } from './fixture.ts';
import { saveSignIn, writeFile, writeSource } from './folder-rows.ts';

const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const looked = { looked_at: minutes(-4), next_look_at: minutes(26) };

/**
 * Connects OneDrive and turns monitoring on, as the folder worker leaves it: with files in several states, one of them
 * imported as `importId`, and a question about files that were there before.
 */
export async function connectOneDrive(product: Pick<Fixture, 'database'>, importId?: string): Promise<void> {
  const path = '/SCD CSV Processing';
  await saveSettings(product.database.db, { oneDriveEnabled: true, oneDriveFolder: path });
  await saveSignIn(product);
  const source = await writeSource(product, 'onedrive', {
    ...{ ...looked, place: { path }, state: 'ok', account: 'ada@example.com', can_write: true },
  });
  const imported = importId === undefined ? {} : { import_id: importId };
  for (const name of ['spring-2025.csv', 'summer-2025.csv']) {
    await writeFile(product, source, { name, state: 'ignored' });
  }
  const workbook = 'This is an Excel workbook. Save it as CSV and put that into the folder.';
  await writeFile(product, source, { name: 'order-form.xlsx', state: 'refused', reason: workbook });
  await writeFile(product, source, { name: 'acme-october.csv', state: 'same', ...imported });
  await writeFile(product, source, {
    name: 'acme-november.csv',
    state: 'taken',
    option: 'archived',
    ...imported,
  });
  await writeFile(product, source, { name: `${'stock-list-'.repeat(8)}.csv`, state: 'settling' });
}

/** Writes a folder of the server that is not there any more. */
export async function loseLocalFolder(product: Pick<Fixture, 'database'>): Promise<void> {
  const source = await writeSource(product, 'local', {
    ...{ ...looked, place: { path: '/data/watched' }, state: 'trouble', blocked_until: minutes(12) },
    trouble: 'The folder /data/watched doesn’t exist. Is the drive connected?',
    trouble_kind: 'not found',
    trouble_cause: 'ENOENT: no such file or directory',
  });
  for (const state of ['held', 'waiting', 'taking', 'failed', 'gone']) {
    await writeFile(product, source, { name: `${state}.csv`, state });
  }
}
