import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { joinBytes } from '@draftshelf/csv/joined';
import { expect, test } from 'vitest';
import { toBlobSource } from './byte-source.ts';
import { openContainer } from './open-container.ts';
import { openBytes, testLimits, textOf } from './testing/read-all.ts';
import { part, relationsXml, workbookFile } from './testing/workbook-file.ts';
import { zipFile } from './testing/zip-file.ts';

/** A text may have 4,000 bytes, and all parts of a file 80,000. */
const limits = { ...testLimits, fileBytesMax: 1000 };
const tooMuch = {
  code: 'too_much',
  message: 'The file holds more data than can be read. Save the list as CSV and upload that.',
};
const list = `Title,Price\n${'Lamp,1\n'.repeat(400)}`;

test('a text in an archive is unpacked to a limit, however often it is read', async () => {
  const container = await openBytes(await zipFile([{ name: 'list.csv', data: list }]), limits);
  for (let times = 0; times < 20; times += 1) expect(await textOf(container, 0)).toBe(list);
  const again = async () => {
    for (let times = 0; times < 20; times += 1) await textOf(container, 0);
  };
  await expect(again()).rejects.toMatchObject(tooMuch);
});

/** A gzip file of a long packed text, and bytes that are stored as they are. */
function gzipOf(packed: Buffer, stored: Buffer): Uint8Array<ArrayBuffer> {
  const lengths = new Uint8Array(Uint16Array.of(stored.length, ~stored.length).buffer);
  const whole = Buffer.concat([packed, stored]);
  const end = new Uint8Array(Uint32Array.of(crc32(whole), whole.length).buffer);
  const begun = deflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
  const header = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0];
  return joinBytes([Uint8Array.from(header), begun, Uint8Array.of(1), lengths, stored, end]);
}

test('a gzip file is unpacked to a limit, however many places look like the next part of it', async () => {
  const rows = Buffer.from(list.repeat(50));
  const looksLikeParts = (places: number) =>
    gzipOf(rows, Buffer.alloc(4 * places, Buffer.from([31, 139, 8, 0])));
  const open = async (places: number) =>
    textOf(await openBytes(looksLikeParts(places), { ...limits, fileBytesMax: 40_000 }), 0);
  expect(await open(4)).toContain('Lamp');
  await expect(open(40)).rejects.toMatchObject(tooMuch);
});

test('a signal ends the reading of an open file with its reason', async () => {
  const files = [
    await zipFile([{ name: 'list.csv', data: list }]),
    await workbookFile({ sheets: [{ name: 'A', rows: [['Title'], ['Lamp']] }] }),
    new Uint8Array(gzipSync(list)),
  ];
  for (const bytes of files) {
    const controller = new AbortController();
    const source = toBlobSource(new Blob([bytes]));
    const container = await openContainer(source, testLimits, controller.signal);
    controller.abort(new Error('nobody waits'));
    await expect(textOf(container, 0)).rejects.toThrow('nobody waits');
  }
});

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47]);

test('of more pictures than a file may have, the first ones are taken', async () => {
  const pictures = Array.from({ length: 20_001 }, (_, at) => ({
    name: `${at}.png`,
    data: png,
    isStored: true,
  }));
  const archive = await zipFile([{ name: 'list.csv', data: list }, ...pictures]);
  const { pictures: found, isCut } = await (await openBytes(archive)).pictures();
  expect([found.length, found.at(-1)?.entry, isCut]).toEqual([20_000, '19999.png', true]);
  const anchor = '<oneCellAnchor><from><row>1</row></from><pic><blip embed="rId1"/></pic></oneCellAnchor>';
  const anchored = (anchors: number) =>
    workbookFile({
      sheets: [{ name: 'A', rows: [['Title'], ['Lamp']] }],
      parts: [
        part('xl/worksheets/_rels/sheet1.xml.rels', relationsXml([['drawing', '../drawings/drawing1.xml']])),
        part('xl/drawings/drawing1.xml', `<wsDr>${anchor.repeat(anchors)}</wsDr>`),
        part('xl/drawings/_rels/drawing1.xml.rels', relationsXml([['image', '../media/1.png']])),
        { name: 'xl/media/1.png', data: png },
      ],
    });
  for (const [anchors, isOver] of [
    [20_000, false],
    [20_001, true],
  ] as const) {
    const workbook = await (await openBytes(await anchored(anchors))).pictures();
    expect([workbook.pictures.length, workbook.isCut]).toEqual([20_000, isOver]);
  }
});

test('pictures that unpack to more than a file may hold are left out', async () => {
  const large = new Uint8Array(30_000).fill(7);
  const archive = await zipFile([
    { name: 'list.csv', data: list },
    ...[1, 2, 3].map((n) => ({ name: `${n}.png`, data: large })),
  ]);
  const { pictures, isCut } = await (await openBytes(archive, limits)).pictures();
  expect([pictures.map(({ entry }) => entry), isCut]).toEqual([['1.png', '2.png'], true]);
});
