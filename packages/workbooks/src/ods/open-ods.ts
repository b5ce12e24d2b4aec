import { removeInvisible } from '@draftshelf/domain/base/file-name';
import type { Package } from '../book/package.ts';
import { protectedWorkbookError, unsupportedFormatError } from '../book/refused-formats.ts';
import type { Container } from '../container.ts';
import { createSheetContainer, refuseManySheets } from '../container.ts';
import { damagedError } from '../container-error.ts';
import { type ContainerLimits, nameLengthMax, sheetNameLengthMax, toTableBytesMax } from '../limits.ts';
import { CsvWriter } from '../sheet/csv-writer.ts';
import { MergedCellFiller } from '../sheet/merged-cells.ts';
import type { ReadOptions, TableText } from '../table-reading.ts';
import { createTagHandler, toUtf8 } from '../xml/read-part.ts';
import { XmlScanner } from '../xml/xml-scanner.ts';
import { OdsReader } from './ods-reader.ts';

const content = 'content.xml';

export async function openOds(parts: Package, limits: ContainerLimits): Promise<Container> {
  let isEncrypted = false;
  await parts.readTags('META-INF/manifest.xml', (name) => {
    isEncrypted ||= name === 'encryption-data';
  });
  if (isEncrypted) throw protectedWorkbookError();
  return createSheetContainer(await sheetsOf(parts), (sheet, options) =>
    readOdsSheet(parts, sheet, limits, options),
  );
}

async function sheetsOf(parts: Package): Promise<Container['tables']> {
  const tables: Container['tables'] = [];
  const hiddenStyles = new Set<string>();
  let [depth, tableDepth, style, isSpreadsheet] = [0, 0, '', false];
  const handler = createTagHandler(
    (name, tag) => {
      depth += 1;
      if (name === 'spreadsheet') isSpreadsheet = true;
      else if (name === 'style') style = tag.attribute('name', nameLengthMax) ?? '';
      else if (name === 'table-properties' && tag.attribute('display') === 'false')
        hiddenStyles.add(parts.kept(style));
      else if (name === 'table' && tableDepth === 0) {
        tableDepth = depth;
        const hidden = hiddenStyles.has(tag.attribute('style-name') ?? '');
        const n = tables.length;
        const title = removeInvisible(tag.attribute('name', sheetNameLengthMax) ?? '');
        tables.push({ n, name: title, kind: 'sheet', hidden, active: false, rows: null });
        refuseManySheets(n);
      }
    },
    () => {
      if (depth === tableDepth) tableDepth = 0;
      depth -= 1;
    },
  );
  if (!(await parts.read(content, handler))) throw damagedError('its content is missing');
  if (!isSpreadsheet) throw unsupportedFormatError('an OpenDocument file, but not a spreadsheet');
  return tables;
}

async function* readOdsSheet(
  parts: Package,
  { n, name }: Container['tables'][number],
  limits: ContainerLimits,
  { headBytes = Number.POSITIVE_INFINITY, onNotices }: ReadOptions = {},
): TableText {
  const writer = new CsvWriter(name, toTableBytesMax(limits));
  const rows = new OdsReader({ ...limits, n, merged: new MergedCellFiller([]) });
  let written = 0;
  const scanner = new XmlScanner(rows);
  try {
    for await (const chunk of toUtf8(parts.bytes(content))) {
      scanner.push(chunk);
      while (scanner.run() && !rows.isComplete) {
        writer.writeEmptyLines(rows.line - written - 1);
        written = rows.line - 1;
        for (
          const end = rows.line + rows.repeated - 1;
          written < end && writer.bytes < headBytes;
          written += 1
        ) {
          writer.writeRow(rows.row);
          yield* writer.takePieces();
        }
        if (writer.bytes >= headBytes) break;
      }
      if (rows.isComplete || writer.bytes >= headBytes) break;
    }
    yield* writer.takePieces(true);
  } finally {
    onNotices?.(rows.notices());
  }
}
