import { type ZipPart, zipFile } from './zip-file.ts';

/** A cell: a text, a number, or its XML element's parts. `raw` is the XML of the whole cell. */
export type CellContent =
  | string
  | number
  | boolean
  | null
  | { value?: string | number; type?: string; format?: string; formula?: string; inline?: string }
  | { raw: string };

export type SheetContent = {
  name: string;
  rows?: readonly (readonly CellContent[])[];
  /** The XML in sheetData, instead of rows. */
  data?: string;
  /** XML in front of sheetData and behind it. */
  before?: string;
  after?: string;
  state?: 'hidden' | 'veryHidden';
  /** Addresses of its links, with ids rId1, rId2 … */
  links?: readonly string[];
};

export type WorkbookContent = {
  sheets: readonly SheetContent[];
  is1904?: boolean;
  activeTab?: number;
  /** Texts as shared ones or in their cells. */
  texts?: 'shared' | 'inline';
  /** Further parts, or others in place of those with the same name. */
  parts?: readonly ZipPart[];
};

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A workbook as .xlsx. */
export async function workbookFile(content: WorkbookContent): Promise<Uint8Array<ArrayBuffer>> {
  return zipFile(workbookParts(content));
}

/** The parts of a workbook. */
export function workbookParts(content: WorkbookContent): ZipPart[] {
  const formats: string[] = [];
  const texts: string[] = [];
  const made = content.sheets.flatMap((sheet, at) => sheetParts(sheet, at + 1, { content, formats, texts }));
  const list = content.sheets.map(({ name, state }, at) => {
    const hidden = state ? ` state="${state}"` : '';
    return `<sheet name="${escaped(name)}" sheetId="${at + 1}"${hidden} r:id="rId${at + 1}"/>`;
  });
  const targets = content.sheets.map((_sheet, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const);
  const parts = [
    part('[Content_Types].xml', '<Types/>'),
    part('_rels/.rels', relationsXml([['officeDocument', 'xl/workbook.xml']])),
    part(
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr${content.is1904 ? ' date1904="1"' : ''}/>` +
        `<bookViews><workbookView activeTab="${content.activeTab ?? 0}"/></bookViews>` +
        `<sheets>${list.join('')}</sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      relationsXml([...targets, ['styles', 'styles.xml'], ['sharedStrings', 'sharedStrings.xml']]),
    ),
    part('xl/styles.xml', stylesXml(formats)),
    ...made,
    part(
      'xl/sharedStrings.xml',
      `<sst xmlns="${main}" count="${texts.length}" uniqueCount="${texts.length}">${texts.join('')}</sst>`,
    ),
  ];
  const others = new Map(content.parts?.map((other) => [other.name, other]));
  const replaced = parts.map((own) => others.get(own.name) ?? own);
  return [...replaced, ...[...others.values()].filter(({ name }) => !parts.some((own) => own.name === name))];
}

type Making = { content: WorkbookContent; formats: string[]; texts: string[] };

function sheetParts(sheet: SheetContent, number: number, making: Making): ZipPart[] {
  const rows = (sheet.rows ?? []).map((cells, row) => {
    const made = cells.map((cell, column) => cellXml(cell, `${columnName(column)}${row + 1}`, making));
    return `<row r="${row + 1}">${made.join('')}</row>`;
  });
  const xml =
    `<worksheet xmlns="${main}" xmlns:r="${relations}">${sheet.before ?? ''}` +
    `<sheetData>${sheet.data ?? rows.join('')}</sheetData>${sheet.after ?? ''}</worksheet>`;
  const own = part(`xl/worksheets/sheet${number}.xml`, xml);
  if (!sheet.links) return [own];
  const links = sheet.links.map((link) => ['hyperlink', link, 'External'] as const);
  return [own, part(`xl/worksheets/_rels/sheet${number}.xml.rels`, relationsXml(links))];
}

function cellXml(cell: CellContent, place: string, { content, formats, texts }: Making): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'string') {
    const text = `<t xml:space="preserve">${escaped(cell)}</t>`;
    if (content.texts === 'inline') return `<c r="${place}" t="inlineStr"><is>${text}</is></c>`;
    return `<c r="${place}" t="s"><v>${texts.push(`<si>${text}</si>`) - 1}</v></c>`;
  }
  if ('raw' in cell) return cell.raw;
  let style = '';
  if (cell.format !== undefined) {
    if (!formats.includes(cell.format)) formats.push(cell.format);
    style = ` s="${formats.indexOf(cell.format) + 1}"`;
  }
  const type = cell.type ? ` t="${cell.type}"` : '';
  const formula = cell.formula === undefined ? '' : `<f>${escaped(cell.formula)}</f>`;
  const value = cell.value === undefined ? '' : `<v>${escaped(String(cell.value))}</v>`;
  return `<c r="${place}"${style}${type}>${formula}${value}${cell.inline ?? ''}</c>`;
}

/** Formats that are numbers are ids, others codes. */
function stylesXml(formats: readonly string[]): string {
  const ids = formats.map((format, at) => (/^\d{1,2}$/.test(format) ? Number(format) : 164 + at));
  const codes = formats.flatMap((format, at) =>
    ids[at] === 164 + at ? [`<numFmt numFmtId="${ids[at]}" formatCode="${escaped(format)}"/>`] : [],
  );
  const styles = [0, ...ids].map((id) => `<xf numFmtId="${id}"/>`);
  return (
    `<styleSheet xmlns="${main}"><numFmts>${codes.join('')}</numFmts>` +
    `<cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`
  );
}

export function relationsXml(
  list: readonly (readonly [type: string, target: string, mode?: string])[],
): string {
  const made = list.map(([type, target, mode], at) => {
    const external = mode ? ` TargetMode="${mode}"` : '';
    return `<Relationship Id="rId${at + 1}" Type="${relations}/${type}" Target="${escaped(target)}"${external}/>`;
  });
  return `<Relationships xmlns="${packageRelations}">${made.join('')}</Relationships>`;
}

export const part = (name: string, xml: string): ZipPart => ({ name, data: xmlHead + xml });

export function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
