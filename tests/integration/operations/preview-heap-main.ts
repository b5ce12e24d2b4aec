import { createPreviewer } from '../../../apps/web/src/features/upload/preview/preview.ts';
import { longRow, longRowsHeader } from '../../support/long-rows.ts';

/** Reads a file with a number of long rows in pieces, as the browser does, and prints the result. */
const rows = Number(process.argv[2]);
const previewer = createPreviewer();
let bytes = 0;
const push = (text: string) => {
  const piece = Buffer.from(text);
  bytes += piece.length;
  previewer.push(piece);
};
push(longRowsHeader);
for (let row = 1; row <= rows; row += 1) push(longRow(row));
const preview = previewer.end();
console.log(JSON.stringify({ bytes, rows: preview?.totalRows, valid: preview?.valid }));
