import { readScan } from '@draftshelf/domain/scanner/read-scan';
import { beforeAll, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { readerOptions, readResultCode } from '../../apps/web/src/features/scanner/scan/reader-options.ts';
import { gtinOf } from '../support/sources.ts';
import { printCode, randomOf, type Shot, takePicture, wasmOf } from './code-pictures.ts';

beforeAll(async () => {
  const wasmBinary = await wasmOf('zxing-wasm/reader/zxing_reader.wasm');
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
});

type Case =
  Parameters<typeof printCode> extends [infer T, infer F, ...infer O]
    ? { text: T; format: F; options?: O[0]; expected: string }
    : never;

/** 280 product numbers, and 10 each of four other kinds. `expected`: the text that readScan makes of it. */
function cases(): Case[] {
  const numbers = Array.from({ length: 280 }, (_, at): Case => {
    const gtin = gtinOf(36_000_291_000 + at * 7_919);
    if (at % 2 === 0) return { text: gtin.slice(2), format: 'UPCA', expected: gtin.slice(2) };
    const ean = gtinOf(400_638_133_000 + at * 7_919).slice(1);
    return { text: ean, format: 'EAN13', expected: ean };
  });
  const others = Array.from({ length: 10 }, (_, at): Case[] => {
    const itf = gtinOf(1_061_414_100_000 + at * 31);
    const link = gtinOf(950_600_013_000 + at * 13).slice(1);
    return [
      upce(`012345${at}`),
      { text: itf, format: 'ITF', expected: itf },
      { text: `SHELF-${at}/B-${at * 17}`, format: 'QRCode', expected: `SHELF-${at}/B-${at * 17}` },
      { text: `https://example.com/01/${link.padStart(14, '0')}`, format: 'QRCode', expected: link },
    ];
  });
  return [...numbers, ...others.flat()];
}

/** A UPC-E of 7 digits with its check digit. */
function upce(digits: string): Case {
  for (let check = 0; check < 10; check += 1) {
    const scan = readScan(`${digits}${check}`, 'UPCE');
    if (scan?.kind === 'gtin') return { text: `${digits}${check}`, format: 'UPCE', expected: scan.text };
  }
  throw new Error(`${digits} has no check digit`);
}

/** Hand-held pictures: upright, on a side or upside down, up to 20 degrees askew, blurred, in poor light. */
function shotOf(at: number): Shot {
  const random = randomOf(at + 1);
  return {
    scale: 2 + random() * 2,
    degrees: Math.floor(random() * 4) * 90 + (random() - 0.5) * 40,
    blur: random() * 0.5,
    paper: 90 + random() * 165,
    ink: random() * 40,
    shadow: random() * 0.4,
    noise: random() * 16,
  };
}

/** The long form reads all 320 pictures, the short one every eighth. */
const everyNth = process.env.TEST_LONG === '1' ? 1 : 8;

it(
  'codes in turned, blurred and dim pictures are read, and none wrong',
  async () => {
    const wrong: string[] = [];
    const unread: string[] = [];
    let timeMs = 0;
    const pictures = [...cases().entries()].filter(
      ([at]) => at % everyNth === Math.floor(at / everyNth) % everyNth,
    );
    for (const [at, { text, format, options, expected }] of pictures) {
      const picture = takePicture(await printCode(text, format, options), shotOf(at), at);
      const beganMs = performance.now();
      const code = readResultCode(
        await readBarcodes({ ...picture, colorSpace: 'srgb' } as ImageData, readerOptions),
      );
      timeMs += performance.now() - beganMs;
      const read = code === null ? null : readScan(code.text, code.format);
      if (read === null) unread.push(`${format} ${text}`);
      else if (read.text !== expected) wrong.push(`${format} ${text}: ${read.text}`);
    }
    const share = 1 - unread.length / pictures.length;
    console.log(
      `${pictures.length} pictures, ${(share * 100).toFixed(1)} % read, ${(timeMs / pictures.length).toFixed(1)} ms each; not read: ${unread.join(', ')}`,
    );
    expect(wrong).toEqual([]);
    expect(share).toBeGreaterThanOrEqual(0.99);
  },
  10 * 60_000,
);

it('the reader says which codes hold GS1 elements', async () => {
  const shot: Shot = { scale: 3, degrees: 0, blur: 0, paper: 255, ink: 0, shadow: 0, noise: 0 };
  for (const format of ['DataMatrix', 'Code128'] as const) {
    const print = await printCode('(01)09506000134352(10)AB1', format, 'gs1');
    const read = await readBarcodes(takePicture(print, shot, 1) as ImageData, readerOptions);
    const code = readResultCode(read);
    expect(readScan(code?.text ?? '', code?.format)).toMatchObject({ gtin: '09506000134352' });
  }
});
