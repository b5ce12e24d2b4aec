import type { Sample } from './column-evidence.ts';
import { wordSet } from './header-words.ts';

/** Columns of commands such as 'DELETE': `ofProduct` for the row's product, `ofRow` for the row's variant. */
export type CommandColumns = { ofProduct?: number; ofRow?: number };

const header =
  /^\W*(variant[ _-]?)?(?:command|action|operation|listing[ _-]?action|record[ _-]?action|update[ _/-]?delete)(?![ _]?\p{L})/iu;

/** Commands of Matrixify, Amazon and eBay, without blanks and punctuation. */
const leaving = wordSet('delete ignore remove end enditem deleteitem');
const sending = wordSet(`
  new add create insert merge update replace modify change upsert keep none additem verifyadd verifyadditem revise reviseitem
  relist relistitem fullupdate partialupdate createorreplacefullupdate editpartialupdate createorreplace
`);

const commandIn = (cell: string | undefined): string => (cell ?? '').toLowerCase().replace(/[^\p{L}]/gu, '');

/** Finds columns that are named as commands and contain only commands. */
export function findCommandColumns(headers: readonly string[], sample: Sample): CommandColumns | undefined {
  const commands: CommandColumns = {};
  for (const [index, name] of headers.entries()) {
    const [found, ofVariant] = header.exec(name.trim()) ?? [];
    if (found === undefined) continue;
    const cells = sample.map((row) => commandIn(row[index]));
    if (!cells.every((cell) => cell === '' || leaving.has(cell) || sending.has(cell))) continue;
    if (ofVariant === undefined) commands.ofProduct ??= index;
    else commands.ofRow ??= index;
  }
  return Object.keys(commands).length > 0 ? commands : undefined;
}

/**
 * Returns a function that tells, for rows in file order, whether a row's commands delete or ignore the row. Rows
 * without a product command use the command of the product's first row.
 */
export function createRowFilter({
  ofProduct,
  ofRow,
}: CommandColumns = {}): (cells: readonly string[], startsProduct: boolean) => boolean {
  let ofFirst = '';
  const commandOf = (cells: readonly string[], column = -1) => commandIn(cells[column]);
  return (cells, startsProduct) => {
    const own = commandOf(cells, ofProduct);
    if (startsProduct) ofFirst = own;
    return leaving.has(own || ofFirst) || leaving.has(commandOf(cells, ofRow));
  };
}
