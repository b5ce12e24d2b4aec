import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { readKey } from '../../api/read.ts';
import { importRead, proposalsKey } from './imports-api.ts';
import { refreshAfterEdit } from './rows-api.ts';

it('the key of proposals is that of their contract', () => {
  expect(proposalsKey('a')).toEqual(readKey('listProposals', { id: 'a' }));
});

it('reads rows, import and proposals again after an edit of a row', async () => {
  const client = new QueryClient();
  const keys: (readonly unknown[])[] = [
    readKey('listRows', { id: 'a' }, { after: 0 }),
    readKey('listProposals', { id: 'a' }, { limit: 0 }),
    [...readKey('listProposals', { id: 'a' }, {}), { paged: true }],
    importRead('a').queryKey,
  ];
  const other = readKey('listProposals', { id: 'b' }, { limit: 0 });
  for (const key of [...keys, other]) client.setQueryData(key, {});
  await refreshAfterEdit(client, 'a');
  const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  expect(keys.map(isStale)).toEqual([true, true, true, true]);
  expect(isStale(other)).toBe(false);
  client.clear();
});
