import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import { expect, test } from 'vitest';
import { createPreviewer } from './preview/preview.ts';
import { checkChosenFile, type ReadInWorker } from './use-file-checks.ts';

const encoder = new TextEncoder();

/** Reads as the worker does, in one piece. Keeps the mappings of the passes, and how many of them were stopped. */
function reader(text: string) {
  const passes: object[] = [];
  let stopped = 0;
  const read: ReadInWorker = (request, onReply) => {
    if (request.kind === 'page') throw new Error('A check asks for no pages');
    passes.push(request.mapping);
    let isStopped = false;
    const { choice, mapping, isPartial } = request;
    const previewer = createPreviewer({ dialect: choice, mapping, isPartial });
    previewer.push(encoder.encode(text));
    queueMicrotask(() => {
      onReply({ kind: 'progress', readBytes: text.length, preview: previewer.current() });
      setTimeout(() => {
        if (isStopped) return;
        const preview = previewer.end();
        onReply(
          preview === null
            ? { kind: 'tooFewRecords', dialect: previewer.dialect() }
            : { kind: 'done', preview, sha256: 'aa' },
        );
      });
    });
    return () => {
      if (!isStopped) stopped += 1;
      isStopped = true;
    };
  };
  return { read, passes, stopped: () => stopped };
}

const csv = 'Name,Dealer\nLamp,10\nVase,\n';

function check(
  text: string,
  recall: Parameters<typeof checkChosenFile>[1]['recall'],
  own: MappingOverrides | null = null,
  findSupplier: Parameters<typeof checkChosenFile>[1]['findSupplier'] = async () => undefined,
) {
  const worker = reader(text);
  const shares: number[] = [];
  const checked = checkChosenFile(
    { file: new File([text], 'a.csv'), choice: {}, own, supplier: null },
    {
      ...{ read: worker.read, recall, findSupplier, signal: new AbortController().signal },
      onProgress: (share) => shares.push(share),
    },
  );
  return { checked, worker, shares };
}

test('a file is read with what is remembered for its headers', async () => {
  const requests: (readonly string[])[] = [];
  const { checked, worker, shares } = check(csv, async (headers) => {
    requests.push(headers);
    return { filename: 'before.csv', columns: { Dealer: 'price' }, readings: {} };
  });
  expect(await checked).toMatchObject({
    ...{ kind: 'read', products: 2, valid: 1, warnings: 1, isMemoryLost: false },
    columns: { all: 2, missing: [], setBy: 'memory' },
  });
  expect(requests).toEqual([['Name', 'Dealer']]);
  expect(worker.passes).toEqual([{}, { Dealer: { field: 'price', by: 'memory', from: 'before.csv' } }]);
  // Both passes have ended: the first one was not read to its end.
  expect(worker.stopped()).toBe(2);
  expect(shares).toEqual([1, 1]);
});

test('without a memory, with overrides of its own, and without an answer it is read once', async () => {
  const nothing = check(csv, async () => null);
  expect(await nothing.checked).toMatchObject({ products: 2, isMemoryLost: false });
  expect(nothing.worker.passes).toEqual([{}]);

  const own = { Dealer: { field: 'price', by: 'operator' } } as const;
  const set = check(csv, () => Promise.reject(new Error('Nobody asks')), own);
  expect(await set.checked).toMatchObject({ isMemoryLost: false, columns: { setBy: 'operator' } });
  expect(set.worker.passes).toEqual([own]);

  const lost = check(csv, () => Promise.reject(new Error('The server is gone')));
  expect(await lost.checked).toMatchObject({ products: 2, isMemoryLost: true });
});

test('a list of prices and stock needs no titles once its supplier is known', async () => {
  const prices = 'SKU,Price\nA-1,10\nA-2,\nA-3,call\n';
  const found = { is: 'certain', supplier: null, known: 3, sampled: 3, last: null } as const;
  const known = check(
    prices,
    async () => null,
    null,
    async () => found,
  );
  expect(await known.checked).toMatchObject({
    valid: 2,
    warnings: 1,
    exact: false,
    columns: { missing: [] },
  });
  const lacking = { valid: 0, warnings: 1, errors: 2, columns: { missing: ['title'] } };
  for (const findSupplier of [
    async () => ({ ...found, is: 'new' }) as const,
    () => Promise.reject(new Error('The server is gone')),
  ]) {
    const unknown = check(prices, async () => null, null, findSupplier);
    expect(await unknown.checked).toMatchObject(lacking);
    expect(unknown.worker.passes).toEqual([{}]);
  }
});

test.each([['Title,Price\n'], [''], ['Title,Price\nTitle,Price\n']])('%j has no products', async (text) => {
  const { checked } = check(text, async () => null);
  expect(await checked).toMatchObject({
    kind: 'failed',
    failure: { message: 'CSV file must have at least a header row and one data row' },
  });
});
