import type { Package, Relation } from '../book/package.ts';
import { addressLengthMax, refuseManyRecords } from '../limits.ts';
import { createTagHandler } from '../xml/read-part.ts';

/** Names of the picture parts that cells show: by a cell's `vm` number, and by the id in a DISPIMG formula. */
export type CellPictures = { byValue: ReadonlyMap<number, string>; byId: ReadonlyMap<string, string> };

/** Reads the pictures that cells may show. `relations`: the relations of the workbook part. */
export async function readCellPictures(
  parts: Package,
  relations: ReadonlyMap<string, Relation>,
): Promise<CellPictures> {
  const partOf = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.target;
  const values = partOf('rdRichValue');
  const byValue =
    values === undefined ? new Map<number, string>() : await richValuePictures(parts, values, partOf);
  const images = partOf('cellImage') ?? 'xl/cellimages.xml';
  return { byValue, byId: parts.entry(images) ? await namedPictures(parts, images) : new Map() };
}

// Resolves pictures in cells: value metadata refers to a rich value, whose picture key refers to a part's relation.
async function richValuePictures(
  parts: Package,
  valuesPart: string,
  partOf: (type: string) => string | undefined,
): Promise<Map<number, string>> {
  const structures = await keysOfStructures(parts, partOf('rdRichValueStructure'));
  const values = await relationsOfValues(parts, valuesPart, structures);
  const targets = await targetsOf(parts, partOf('richValueRel'));
  const byValue = new Map<number, string>();
  for (const [at, value] of (await valuesOfMetadata(parts, partOf('sheetMetadata'))).entries()) {
    const target = targets[values[value] ?? -1];
    if (target !== undefined) byValue.set(at + 1, target);
  }
  return byValue;
}

const pictureKey = '_rvRel:LocalImageIdentifier';

async function keysOfStructures(parts: Package, part = ''): Promise<number[]> {
  const keys: number[] = [];
  let next = 0;
  await parts.readTags(part, (name, tag) => {
    if (name === 's') {
      refuseManyRecords(keys.length);
      keys.push(-1);
      next = 0;
    } else if (name === 'k') {
      if (tag.attribute('n') === pictureKey) keys[keys.length - 1] = next;
      next += 1;
    }
  });
  return keys;
}

async function relationsOfValues(parts: Package, part: string, structures: readonly number[]) {
  const relations: number[] = [];
  let [key, next, text] = [-1, 0, ''];
  const decoder = new TextDecoder();
  const handler = {
    ...createTagHandler(
      (name, tag) => {
        if (name === 'rv') {
          refuseManyRecords(relations.length);
          relations.push(-1);
          [key, next] = [structures[Number(tag.attribute('s') ?? -1)] ?? -1, 0];
        } else if (name === 'v') {
          text = '';
          handler.wantsText = next === key;
        }
      },
      (name) => {
        if (name !== 'v') return;
        if (handler.wantsText) relations[relations.length - 1] = Number(text);
        handler.wantsText = false;
        next += 1;
      },
    ),
    text: (bytes: Uint8Array, from: number, to: number) => {
      if (text.length < addressLengthMax) text += decoder.decode(bytes.subarray(from, to));
    },
  };
  await parts.read(part, handler);
  return relations;
}

async function targetsOf(parts: Package, part = ''): Promise<(string | undefined)[]> {
  const relations = await parts.relations(part);
  const targets: (string | undefined)[] = [];
  await parts.readTags(part, (name, tag) => {
    refuseManyRecords(targets.length);
    if (name === 'rel') targets.push(relations.get(tag.attribute('id') ?? '')?.target);
  });
  return targets;
}

async function valuesOfMetadata(parts: Package, part = ''): Promise<number[]> {
  const future: number[] = [];
  const values: number[] = [];
  let isValue = false;
  await parts.readTags(
    part,
    (name, tag) => {
      refuseManyRecords(Math.max(future.length, values.length));
      if (name === 'valueMetadata') isValue = true;
      else if (name === 'rvb') future.push(Number(tag.attribute('i')));
      else if (name === 'rc' && isValue) values.push(Number(tag.attribute('v')));
    },
    (name) => {
      if (name === 'valueMetadata') isValue = false;
    },
  );
  return values.map((at) => future[at] ?? -1);
}

async function namedPictures(parts: Package, part: string): Promise<Map<string, string>> {
  const relations = await parts.relations(part);
  const byId = new Map<string, string>();
  let id = '';
  await parts.readTags(part, (name, tag) => {
    if (name === 'cNvPr') id = tag.attribute('name') ?? '';
    const target = name === 'blip' ? relations.get(tag.attribute('embed') ?? '')?.target : undefined;
    if (target !== undefined && id.length <= addressLengthMax) byId.set(parts.kept(id), target);
    refuseManyRecords(byId.size);
  });
  return byId;
}
