import { otherWorkbooks } from '@draftshelf/csv/detect/other-workbooks';
import { removeInvisible } from '@draftshelf/domain/base/file-name';
import { refuseManySheets } from '../container.ts';
import { ContainerError, damagedError } from '../container-error.ts';
import { nameLengthMax, sheetNameLengthMax } from '../limits.ts';
import { type CellPictures, readCellPictures } from '../pictures/cell-pictures.ts';
import { createTagHandler } from '../xml/read-part.ts';
import type { ZipEntry } from '../zip/directory.ts';
import type { Package } from './package.ts';
import { unsupportedFormatError } from './refused-formats.ts';
import { createStyleReader, type FormatLookup } from './styles.ts';
import type { SharedTexts } from './texts.ts';

export type Sheet = {
  /** Index in the workbook, which also counts chart and macro sheets. */
  n: number;
  name: string;
  part: string;
  isHidden: boolean;
  isActive: boolean;
};

export type Workbook = {
  parts: Package;
  sheets: Sheet[];
  is1904: boolean;
  formatOf: FormatLookup;
  textsPart: string;
  /** Set when the first sheet is read. */
  texts?: Promise<SharedTexts>;
  cellPictures: CellPictures;
};

/** Reads the sheets, styles and settings of a workbook. */
export async function readWorkbook(parts: Package): Promise<Workbook> {
  const main = await mainPart(parts);
  const relations = await parts.relations(main);
  const found: { name: string; id: string; isHidden: boolean }[] = [];
  let [root, is1904, active] = ['', false, 0];
  const handler = createTagHandler((name, tag) => {
    root ||= name;
    if (name === 'workbookPr') is1904 = isTrue(tag.attribute('date1904'));
    else if (name === 'workbookView') active ||= Number(tag.attribute('activeTab') ?? 0);
    else if (name === 'sheet') {
      refuseManySheets(found.length);
      const isHidden = /^(?:very)?hidden$/i.test(tag.attribute('state') ?? '');
      const name = removeInvisible(tag.attribute('name', sheetNameLengthMax) ?? '');
      found.push({ name, id: tag.attribute('id', nameLengthMax) ?? '', isHidden });
    }
  });
  if (!(await parts.read(main, handler))) throw damagedError('its list of sheets is missing');
  if (root !== 'workbook') throw notWorkbook();
  const taken = new Set<ZipEntry>();
  const sheets = found.flatMap(({ name, id, isHidden }, n) => {
    const relation = relations.get(id);
    const entry = relation?.type === 'worksheet' ? parts.entry(relation.target) : undefined;
    // Only a forged workbook has two sheets with the same part. Skip the second, so as not to unpack the part twice.
    if (!relation || !entry || taken.has(entry)) return [];
    taken.add(entry);
    return [{ n, name, part: relation.target, isHidden, isActive: n === active }];
  });
  // Some programs omit these relations. In that case, use the names that Excel always gives to the parts.
  const partOf = (type: string) =>
    [...relations.values()].find((relation) => relation.type === type)?.target ?? `xl/${type}.xml`;
  const { handler: styles, formatOf } = createStyleReader(parts);
  await parts.read(partOf('styles'), styles);
  const cellPictures = await readCellPictures(parts, relations);
  return { parts, sheets, is1904, formatOf, textsPart: partOf('sharedStrings'), cellPictures };
}

async function mainPart(parts: Package): Promise<string> {
  const relations = await parts.relations('');
  const main =
    [...relations.values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  if (main.endsWith('.bin')) throw unsupportedFormatError(otherWorkbooks['.xlsb']);
  if (/^(?:word|ppt)\//.test(main)) throw notWorkbook();
  return main;
}

const notWorkbook = () =>
  new ContainerError(
    'other_format',
    'This is an Office document, but not a workbook. Save the list as .xlsx or CSV and upload that.',
  );

export const isTrue = (value: string | null): boolean => value === '1' || value === 'true';
