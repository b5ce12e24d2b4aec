import { headBytesMax } from '@draftshelf/csv/detect/sniff';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import { expect, test } from 'vitest';
import { splitAfterRecall } from './split-after-recall.ts';
import { splitStream } from './split-stream.ts';

const limits = readLimitsDefault;
const mapping: MappingOverrides = { Net: { field: 'price', by: 'memory', from: 'may.csv' } };
const overrides = { dialect: { delimiter: ';' } } as const;

async function split(bytes: Uint8Array, pieceBytes: number, answer: MappingOverrides | undefined) {
  const asked: string[][] = [];
  const splitter = splitAfterRecall({
    limits,
    overrides,
    async recall(headers) {
      asked.push(headers);
      return answer;
    },
  });
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    await splitter.push(bytes.subarray(at, at + pieceBytes));
  }
  return { asked, found: await splitter.end() };
}

function splitAtOnce(bytes: Uint8Array, answer: MappingOverrides | undefined) {
  const splitter = splitStream({
    limits,
    overrides: { ...overrides, ...(answer ? { mapping: answer } : {}) },
  });
  splitter.push(bytes);
  return splitter.end();
}

const rows = (count: number) => Array.from({ length: count }, (_, at) => `Lamp ${at};${at}.50;${at}.75`);
const header = 'Title;Price;Net';

test.each<[string, Uint8Array]>([
  ['a small file', Buffer.from([header, ...rows(3)].join('\n'))],
  ['a file larger than its head', Buffer.from([header, ...rows(20_000)].join('\r\n'))],
  ['UTF-16', Buffer.from(`\uFEFF${[header, ...rows(20)].join('\n')}`, 'utf16le')],
  ['a header below a note', Buffer.from(['Prices of May', header, ...rows(20)].join('\n'))],
])('what is remembered is used from the first row on: %s', async (_name, bytes) => {
  for (const answer of [mapping, undefined]) {
    const whole = splitAtOnce(bytes, answer);
    expect(whole?.mapping.columns[2]?.field === 'price').toBe(answer !== undefined);
    for (const pieceBytes of [1000, 65_536, bytes.length]) {
      const { asked, found } = await split(bytes, pieceBytes, answer);
      expect(asked).toEqual([['Title', 'Price', 'Net']]);
      expect(found).toEqual(whole);
    }
  }
});

test('nothing is asked for a file whose header lies beyond the head, or that is not CSV', async () => {
  const far = Buffer.from(`${'x'.repeat(headBytesMax)};Price;Net\nLamp;1;2\n`);
  expect(await split(far, 65_536, mapping)).toMatchObject({ asked: [], found: { whole: { rows: 1 } } });
  await expect(split(Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n'), 100, mapping)).rejects.toThrow(/PDF/);
  expect(await split(Buffer.from(''), 100, mapping)).toEqual({ asked: [], found: undefined });
});

test('an error of the look-up ends the split', async () => {
  const splitter = splitAfterRecall({ limits, recall: () => Promise.reject(new Error('no database')) });
  await splitter.push(Buffer.from('Title,Price\nLamp,1\n'));
  await expect(splitter.end()).rejects.toThrow('no database');
});
