import { createPreviewer } from '../../../apps/web/src/pages/upload/preview.ts';
import { longRow, longRowsHeader } from '../../support/long-rows.ts';

/** Reads a file of the given number of long rows, piece by piece as the browser gives it, and says what it found. */
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
