import { createFileScanner } from '@draftshelf/csv/encoding/transcriber';
import { readLimitsDefault as limits } from '@draftshelf/csv/limits';
import type { Item } from '@draftshelf/domain/suppliers/item-hashes';
import { changeGroups, fieldGroups } from '@draftshelf/domain/suppliers/list';
import { readChunk } from '@draftshelf/reading/read-chunk';
import { splitStream } from '@draftshelf/reading/split-stream';
import { expect, test } from 'vitest';
import { isLong } from '../../support/queue-backend.ts';
import { compareLists } from './independent-comparison.ts';
import { randomPair, type WrittenList } from './random-lists.ts';

/** The items of a file's rows, as workers read them. */
function itemsIn({ bytes }: WrittenList): (Item | null)[] {
  const splitter = splitStream({ limits });
  splitter.push(bytes);
  const found = splitter.end();
  if (!found) throw new Error('no header');
  const pieces: Uint8Array[] = [];
  const scanner = createFileScanner(found.dialect.encoding, {
    push: (piece) => void pieces.push(piece.slice()),
    end: () => {},
  });
  scanner.push(bytes);
  scanner.end();
  const scanned = Buffer.concat(pieces);
  return found.whole.cuts.flatMap((cut) => {
    const reading = readChunk(scanned.subarray(cut.byteFrom, cut.byteTo), cut, found, limits);
    return Array.from(reading.rows(), ({ item }) => item);
  });
}

const pairs = isLong ? 200 : 15;

test('rows of two random lists have the same keys and differ in the same groups as in an independent program', () => {
  for (let seed = 1; seed <= pairs; seed += 1) {
    const { first, second } = randomPair(seed);
    const then = new Map<string, Item>();
    for (const item of itemsIn(first)) if (item && !then.has(item.key)) then.set(item.key, item);
    const found = itemsIn(second).map((item) => {
      const before = then.get(item?.key ?? '');
      const groups = changeGroups.filter((group) => {
        const at = fieldGroups.indexOf(group);
        return before?.hashes[at] !== item?.hashes[at];
      });
      return { key: item?.key ?? 'none', groups: before ? groups : null };
    });
    const expected = compareLists(first, second).map((row, at) => {
      const [, key = '', changes = ''] = /^(.*): ([a-z ]+)$/.exec(row) ?? [];
      const groups = changes.split(' ').filter((change) => changeGroups.some((group) => group === change));
      const isCompared = /changed/.test(changes);
      return { key, groups: isCompared ? groups : (found[at]?.groups ?? null) };
    });
    expect(found, `pair ${seed}`).toEqual(expected);
  }
});
