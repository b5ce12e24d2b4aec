import { MutationObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { CallError, toCacheKey } from './call.ts';
import { createQueryClient } from './query-client.ts';
import { type ChangeCall, importKey, importListFilter, refreshAfter } from './stale-reads.ts';

/** A cache with reads of these keys, and which of them are stale. */
function cacheOf(...keys: (readonly unknown[])[]) {
  const client = createQueryClient();
  for (const key of keys) client.setQueryData(key, {});
  return { client, stale: () => keys.map((key) => client.getQueryState(key)?.isInvalidated) };
}

const edited: ChangeCall = { name: 'editRow', params: { id: 'a', row: 3 } };
const rows = toCacheKey('listRows', { id: 'a' }, { after: 0 });
const proposals = toCacheKey('listProposals', { id: 'a' }, { limit: 0 });

it('reads rows, proposals and the import again after an edit of a row, and no other import', async () => {
  const { client, stale } = cacheOf(
    ...[rows, proposals, importKey('a'), toCacheKey('listImports')],
    ...[
      toCacheKey('listRows', { id: 'b' }, { after: 0 }),
      importKey('b'),
      toCacheKey('getMapping', { id: 'a' }),
    ],
  );
  await refreshAfter(client, [edited]);
  expect(stale()).toEqual([true, true, true, true, false, false, false]);
});

it('leaves everything as it is after a call that was refused as it is', async () => {
  const { client, stale } = cacheOf(rows);
  await refreshAfter(client, [{ ...edited, error: new CallError(400, 'Too long', null) }]);
  expect(stale()).toEqual([false]);
  await refreshAfter(client, [{ ...edited, error: new CallError(409, 'Changed meanwhile', null) }]);
  expect(stale()).toEqual([true]);
});

it('does not read a list again after changes that it is held for', async () => {
  const { client, stale } = cacheOf(proposals, rows);
  const held = ({ name }: ChangeCall) => name === 'decideProposal';
  client.getQueryCache().find({ queryKey: proposals })?.setOptions({ queryKey: proposals, meta: { held } });
  await refreshAfter(client, [{ name: 'decideProposal', params: { id: 'a', proposal: 1 } }]);
  expect(stale()).toEqual([false, true]);
  await refreshAfter(client, [edited]);
  expect(stale()).toEqual([true, true]);
});

it('does not read a supplier again that goes, but where it stays', async () => {
  const [names, going, itsValues, other] = [
    toCacheKey('listSuppliers'),
    toCacheKey('getSupplier', { id: 2 }),
    toCacheKey('listOwnValues', { id: 2 }, { search: '' }),
    toCacheKey('getSupplier', { id: 1 }),
  ];
  const { client, stale } = cacheOf(names, going, itsValues, other);
  const merged: ChangeCall = { name: 'mergeSupplier', params: { id: 2 }, body: { into: 1 } };
  await refreshAfter(client, [merged]);
  expect(stale()).toEqual([true, false, false, true]);
  await refreshAfter(client, [{ ...merged, error: new CallError(409, 'It has work', null) }]);
  expect(stale()).toEqual([true, true, true, true]);
});

it('does not read an import again that was deleted, but where it stays', async () => {
  const { client, stale } = cacheOf(toCacheKey('listImports'), importKey('a'), rows);
  const deleted: ChangeCall = { name: 'deleteImport', params: { id: 'a' } };
  await refreshAfter(client, [deleted]);
  expect(stale()).toEqual([true, false, false]);
  await refreshAfter(client, [{ ...deleted, error: new CallError(409, 'It is being pushed', null) }]);
  expect(stale()).toEqual([true, true, true]);
});

it('takes the pages of the list for such, and single imports not', async () => {
  const pages = [toCacheKey('listImports'), toCacheKey('listImports', {}, { before: '1_a' })];
  const { client, stale } = cacheOf(...pages, importKey('a'), rows);
  await client.invalidateQueries(importListFilter);
  expect(stale()).toEqual([true, true, false, false]);
});

it('reads again what the calls of a mutation have made stale, and waits for it', async () => {
  const client = createQueryClient();
  const queryKey = toCacheKey('listSuppliers');
  let reads = 0;
  await client.prefetchQuery({ queryKey, queryFn: async () => ++reads });
  const renaming = new MutationObserver(client, {
    mutationFn: async (_name: string) => 'renamed',
    meta: { changes: () => [{ name: 'renameSupplier', params: { id: 1 } }] },
  });
  await renaming.mutate('Ada');
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
});
